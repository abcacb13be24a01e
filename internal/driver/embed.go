package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// What a package embeds is often built first, and not in the repository: a web interface, for one. The go command refuses such a
// package, and go vet all packages beside it. No retry hangs on what is embedded, so that an empty file takes the place of what
// isn't there, in an overlay.

// embedding reports whether all that go list says against a package is about what it embeds.
func (p *Package) embedding() bool {
	return p.Error != nil && strings.HasPrefix(p.Error.Err, "pattern ") &&
		(strings.HasSuffix(p.Error.Err, ": no matching files found") || strings.HasSuffix(p.Error.Err, ": contains no embeddable files"))
}

// embed gives packages that lack what they embed an empty file for each pattern that matches nothing, and takes back what was
// said against them.
func (r *run) embed() {
	for _, p := range r.inOrder() {
		if !p.embedding() {
			continue
		}
		for _, pattern := range p.EmbedPatterns {
			r.place(p.Dir, strings.TrimPrefix(pattern, "all:"))
		}
		if !p.DepOnly {
			r.out.notes = append(r.out.notes, fmt.Sprintf("%s was analysed without what it embeds: %s", p.ImportPath, r.located(p)))
		}
		p.Error = nil
	}
}

// place puts a file where a pattern would find it. A directory without files that can be embedded is there already.
func (r *run) place(dir, pattern string) {
	matches, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(matches) > 0 && !emptyDir(matches) {
		return
	}
	file := filepath.Join(dir, filepath.FromSlash(strings.NewReplacer("*", "placeholder", "?", "p").Replace(pattern)))
	if len(matches) > 0 {
		file = filepath.Join(matches[0], "placeholder")
	}
	r.placeholders = append(r.placeholders, file)
}

// emptyDir reports whether the only match is a directory in which the go command finds nothing to embed: nothing, or hidden files.
func emptyDir(matches []string) bool {
	if len(matches) > 1 {
		return false
	}
	entries, err := os.ReadDir(matches[0])
	if err != nil {
		return false
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(e.Name(), "_") {
			return false
		}
	}
	return true
}

// overlay makes a file that tells the go command to do as if some files weren't there, and as if placeholders were. It returns the
// flag that names it, no flag if there is nothing to tell, and how to remove the files.
func (r *run) overlay(hidden []string) (flags []string, remove func(), err error) {
	if len(hidden)+len(r.placeholders) == 0 {
		return nil, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "retrylint-overlay-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	empty, replace := filepath.Join(dir, "empty"), make(map[string]string)
	for _, file := range hidden {
		replace[file] = ""
	}
	for _, file := range r.placeholders {
		replace[file] = empty
	}
	file := filepath.Join(dir, "overlay.json")
	if err := writeOverlay(file, empty, replace); err != nil {
		remove()
		return nil, nil, err
	}
	return []string{"-overlay=" + file}, remove, nil
}

func writeOverlay(file, empty string, replace map[string]string) error {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(empty, nil, 0o666), os.WriteFile(file, text, 0o666))
}
