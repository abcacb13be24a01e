package catalog

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed data
var data embed.FS

const (
	dataDirectory = "data/"
	dataExtension = ".yaml"
)

// loaded holds what was read so far, by root: a function that parses the file once.
var loaded sync.Map

// For returns the library whose root is the longest prefix, in whole path elements, of importPath, or nil. A file that
// doesn't parse is a mistake of the build, which the tests find; so For panics then.
func For(importPath string) *Library {
	for root := importPath; root != "." && root != "/"; root = path.Dir(root) {
		if own := addedAt(root); own != nil {
			return own
		}
		if !exists(root) {
			continue
		}
		library, err := load(root)
		if err != nil {
			panic(err)
		}
		return library
	}
	return nil
}

// All returns every library, sorted by root.
func All() ([]*Library, error) {
	var libraries []*Library
	var problems []error
	for _, root := range roots() {
		library, err := load(root)
		problems = append(problems, err)
		libraries = append(libraries, library)
	}
	return libraries, errors.Join(problems...)
}

// Root is the import path that the names of the library are relative to.
func (l *Library) Root() string { return l.root }

// file is where the library was read from.
func (l *Library) file() string { return fileOf(l.root) }

func fileOf(root string) string { return dataDirectory + root + dataExtension }

func exists(root string) bool {
	file, err := data.Open(fileOf(root))
	if err != nil {
		return false
	}
	file.Close()
	return true
}

// roots lists the roots of all files, sorted as strings; WalkDir itself sorts by path element.
func roots() []string {
	var found []string
	fs.WalkDir(data, strings.TrimSuffix(dataDirectory, "/"), func(name string, _ fs.DirEntry, err error) error {
		if root, ok := strings.CutSuffix(name, dataExtension); ok && err == nil {
			found = append(found, strings.TrimPrefix(root, dataDirectory))
		}
		return err
	})
	slices.Sort(found)
	return found
}

// load reads the file of root on the first call and answers from memory afterwards.
func load(root string) (*Library, error) {
	read, _ := loaded.LoadOrStore(root, sync.OnceValues(func() (*Library, error) {
		content, err := data.ReadFile(fileOf(root))
		if err != nil {
			return nil, err
		}
		return parse(root, content)
	}))
	return read.(func() (*Library, error))()
}

// parse decodes strictly: a misspelt key would otherwise silently state nothing.
func parse(root string, content []byte) (*Library, error) {
	library := &Library{root: root}
	return library, decode(fileOf(root), content, library)
}

// decode reads a file of knowledge. A key that isn't known is an error.
func decode(file string, content []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
