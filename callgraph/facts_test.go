package callgraph_test

import (
	"bytes"
	"encoding/gob"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/callgraph"
)

// TestFacts checks what the facts tell, and that they survive the way between two processes of go vet.
func TestFacts(t *testing.T) {
	for _, fact := range callgraph.Analyzer.FactTypes {
		gob.Register(fact)
	}
	for _, r := range analysistest.Run(t, analysistest.TestData(), callgraph.Analyzer, "facts") {
		var facts []analysis.Fact
		for _, f := range r.Action.AllObjectFacts() {
			facts = append(facts, f.Fact)
		}
		functions := len(facts)
		for _, f := range r.Action.AllPackageFacts() {
			facts = append(facts, f.Fact)
		}
		text := encode(t, facts)
		var decoded []analysis.Fact
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&decoded); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, encode(t, decoded)) {
			t.Error("facts change on their way")
		}
		if size := len(text) / functions; size > factBudget {
			t.Errorf("%d bytes a function, want at most %d", size, factBudget)
		}
		checkNoPaths(t, text)
	}
}

// factBudget is the number of bytes that a function may take on average: go vet reads the facts of all dependencies for each
// package.
const factBudget = 1 << 10

func encode(t *testing.T, facts []analysis.Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(facts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checkNoPaths makes sure that facts hold nothing of the machine: they come out of a cache that machines may share.
func checkNoPaths(t *testing.T, text []byte) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, os.TempDir(), "/testdata/", `\testdata\`} {
		if i := bytes.Index(text, []byte(path)); i >= 0 {
			t.Errorf("a fact holds a path: %q", strings.ToValidUTF8(string(text[i:min(i+80, len(text))]), "?"))
		}
	}
}
