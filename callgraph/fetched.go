package callgraph

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Fetched reports whether files are those of a module that was fetched at a version: they lie in the module cache, below a
// directory that ends in @version, or are vendored.
//
// The version alone doesn't tell. A module that is replaced by a directory has one for whoever requires it, and none when it
// is analysed itself; the go command keeps one result for both, whichever came first.
func Fetched(version string, files []string) bool {
	return version != "" && slices.ContainsFunc(files, func(file string) bool {
		path := filepath.ToSlash(file)
		return strings.Contains(path, "@"+version+"/") || strings.Contains(path, "/vendor/")
	})
}

func isFetched(pass *analysis.Pass) bool {
	files := make([]string, len(pass.Files))
	for i, f := range pass.Files {
		files[i] = pass.Fset.File(f.Pos()).Name()
	}
	return Fetched(moduleVersion(pass), files)
}
