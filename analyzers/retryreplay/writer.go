package retryreplay

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// writers reports buffers, files and hashes from outside that an attempt writes to, and that still hold what a failed one wrote.
func (a *attempt) writers() {
	if a.inTransaction() {
		return
	}
	for _, s := range a.steps {
		call, ok := s.Instr.(*ssa.Call)
		if !ok || a.visible(call) {
			continue
		}
		if name, receiver := method(&call.Call); isWrite(name) {
			if collects(receiver.Type()) && a.yields(s, call.Call.Args) {
				a.writer(s, receiver)
			}
			continue
		}
		for i, arg := range call.Call.Args {
			if formal := formalType(&call.Call, i); formal != nil && writesTo(formal) {
				a.given(s, &call.Call, arg)
			}
		}
	}
}

func isWrite(name string) bool {
	switch name {
	case "Write", "WriteString", "WriteByte", "WriteRune", "ReadFrom":
		return true
	}
	return false
}

// collects reports whether what is written to a value of a type stays in it.
func collects(t types.Type) bool { return catalog.Collects(typename.Of(t)) }

// writesTo reports whether a parameter's type says that it is written to.
func writesTo(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return false
	}
	return hasMethod(t, "Write") && !hasMethod(t, "Read")
}

// given looks at a writer that a call is given. What is printed for a reader may well be printed twice.
func (a *attempt) given(s step, call *ssa.CallCommon, arg ssa.Value) {
	fn := call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() == "fmt" || !catalog.LocalPackage(fn.Pkg.Pkg.Path()) {
		return
	}
	if to := a.source(s, arg); collects(to.root.Type()) || fn.Pkg.Pkg.Path() == "io" && isParameter(to.root) {
		a.writer(s, arg)
	}
}

func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

func (a *attempt) writer(s step, v ssa.Value) {
	to := a.source(s, v)
	if !to.outside || to.connected || to.path != "" || a.reset(to) || a.resumes(to) || a.settled(s) {
		return
	}
	switch to.root.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract, *ssa.Parameter:
	default:
		return
	}
	a.report("state", a.token(s), fmt.Sprintf("what a failed attempt has written to %s stays there, and the next one writes it again: begin each attempt with an empty one", writtenName(to)))
}

func writtenName(to source) string {
	if p, ok := to.root.(*ssa.Parameter); ok {
		return p.Name()
	}
	if alloc, ok := to.root.(*ssa.Alloc); ok {
		return alloc.Comment
	}
	return "it"
}
