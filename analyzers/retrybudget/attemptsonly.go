package retrybudget

import (
	"go/ast"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
)

// checkAttemptsOnly reports repetitions without a budget where the code says that many use the dependency: nothing else tells
// how much traffic there is.
func (c *checker) checkAttemptsOnly(r *callgraph.Repetition, gates []callgraph.Gate) {
	if len(gates) > 0 || r.Site == nil || r.Site.Bounded != "counter" || !c.saidToBeBusy(r.Function) {
		return
	}
	pos := r.Site.Pos
	if r.Site.Operation != nil {
		pos = r.Token(r.Site.Operation)
	}
	c.Report("attemptsonly", analysis.Diagnostic{
		Pos:     pos,
		Message: "only the attempts of each call are bounded: while the dependency fails, its whole traffic is multiplied; a budget that calls share would bound that",
	})
}

var (
	shared = regexp.MustCompile(`(?i)\b(shared|every|all|each)\b`)
	volume = regexp.MustCompile(`(?i)\b(thousands?|millions?|hundreds?|\d{3,})\b[^.]*\b(second|minute|sec|requests|calls)\b|\b(a|per) second\b|high[- ]traffic|hot path`)
)

// saidToBeBusy reports whether the comments on a function or on the type that it is a method of speak of many users and much traffic.
func (c *checker) saidToBeBusy(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	text := ""
	for _, file := range c.Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.Pos() == fn.Pos() {
					text += decl.Doc.Text()
				}
			case *ast.GenDecl:
				text += typeDoc(decl, receiverName(fn))
			}
		}
	}
	return shared.MatchString(text) && volume.MatchString(text)
}

func typeDoc(decl *ast.GenDecl, name string) string {
	text := ""
	for _, spec := range decl.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
			text += decl.Doc.Text() + t.Doc.Text()
		}
	}
	return text
}

func receiverName(fn *ssa.Function) string {
	recv := fn.Signature.Recv()
	if recv == nil {
		return ""
	}
	text := recv.Type().String()
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '.' {
			return text[i+1:]
		}
	}
	return text
}
