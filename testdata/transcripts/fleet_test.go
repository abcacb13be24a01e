// Units are counted by a shell script.

//go:build unix

package transcripts

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const cacher = "github.com/bradfitz/go-tool-cache/cmd/go-cacher"

// A machine has a tool and caches of its own, which are empty, and shares what a server on loopback keeps.
type machine struct {
	t            *testing.T
	checkout     string
	home, server string
	tools        string // directory with the cache program
	tool         string // retrylint
}

// TestFleet shares the results of vet between machines: the second one analyses nothing that the first one has.
func TestFleet(t *testing.T) {
	tools := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", tools+string(filepath.Separator), cacher, cacher+"-server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := serve(t, tools)
	checkout := t.TempDir()
	write(t, checkout, fleetFiles)
	join := func(checkout string) *machine {
		m := &machine{t: t, checkout: checkout, home: t.TempDir(), server: server, tools: tools}
		m.tool = filepath.Join(m.home, "retrylint")
		text, err := os.ReadFile(filepath.Join(bin, "retrylint"))
		if err == nil {
			err = os.WriteFile(m.tool, text, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}

	first := join(checkout)
	found, units := first.run()
	if !strings.Contains(found, "m.go:14:20: up to 12 attempts: ") || !slices.Contains(units, "example.com/m") || !slices.Contains(units, "time") {
		t.Fatalf("on the first machine: found\n%s\nby analysing %q", found, units)
	}
	second := join(checkout)
	if again, units := second.run(); again != found || len(units) > 0 {
		t.Errorf("on the second machine: found\n%s\nby analysing %q; want nothing analysed, and found\n%s", again, units, found)
	}
	write(t, checkout, map[string]string{"wire/wire.go": strings.Replace(fleetFiles["wire/wire.go"], "range 4", "range 5", 1)})
	found, units = join(checkout).run()
	if want := []string{"example.com/m", "example.com/m/wire"}; !strings.Contains(found, "up to 15 attempts: ") || !slices.Equal(units, want) {
		t.Errorf("after an edit: found\n%s\nby analysing %q, want %q", found, units, want)
	}

	elsewhere := t.TempDir()
	write(t, elsewhere, fleetFiles)
	found, units = join(elsewhere).run()
	if slices.Contains(units, "time") || !slices.Contains(units, "example.com/m") || !strings.Contains(found, "up to 12 attempts: ") {
		t.Errorf("in another directory: found\n%s\nby analysing %q, want the module alone", found, units)
	}
}

// serve starts a cache server until the test ends.
func serve(t *testing.T, tools string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	cmd := exec.Command(filepath.Join(tools, "go-cacher-server"), "-cache-dir="+t.TempDir(), "-listen="+address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url := "http://" + address
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
			return url
		}
	}
	t.Fatal("the cache server doesn't answer")
	return ""
}

// run returns what retrylint finds, and the packages that it has analysed for that.
func (m *machine) run() (found string, units []string) {
	m.t.Helper()
	log, wrapper := filepath.Join(m.home, "units"), filepath.Join(m.home, "log.sh")
	script := "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in\n*vet.cfg) echo \"$TOOLEXEC_IMPORTPATH\" >>" + log + " ;;\nesac\nexec \"$@\"\n"
	if err := os.WriteFile(wrapper, []byte(script), 0o777); err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(m.tool, "-only=nestedretry", "./...")
	cmd.Dir = m.checkout
	cmd.Env = append(os.Environ(),
		"GOCACHE="+filepath.Join(m.home, "go-build"),
		fmt.Sprintf("GOCACHEPROG=%s -cache-dir=%s -cache-server=%s", filepath.Join(m.tools, "go-cacher"), filepath.Join(m.home, "cacher"), m.server),
		"GOFLAGS=-buildvcs=false -toolexec="+wrapper, "GOWORK=off", "GOPROXY=off", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
		m.t.Fatalf("%v, want exit code 1:\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	units = strings.Fields(string(text))
	slices.Sort(units)
	return string(out), units
}
