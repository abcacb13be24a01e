// Package page derives what users read of an analyzer from its doc.go, the product page: the text for help and explain, and
// the address of the same page in the documentation.
package page

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// Doc returns the section of the package comment in source that is headed "name: summary", with the summary as first line,
// as go/analysis wants it. It panics if there is none: a mistake of the build.
func Doc(source, name string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || file.Doc == nil {
		panic(fmt.Sprintf("doc.go of %s has no package comment: %v", name, err))
	}
	_, text, ok := strings.Cut(file.Doc.Text(), "# "+name+": ")
	if !ok {
		panic(fmt.Sprintf("doc.go of %s has no heading %q", name, "# "+name+": summary"))
	}
	return strings.TrimSpace(text)
}

// URL returns the address of the page of the rule called name.
func URL(name string) string {
	return "https://github.com/retrylint/retrylint/blob/main/docs/" + name + ".md"
}
