package callgraph

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Handling says what a retry site makes of the failures of something that it calls. Those of many sites show what a project
// knows of an error.
type Handling struct {
	Calls string `json:"calls"` // full name of the function or method
	// GivesUp are errors, by variable, type, predicate or code, after which there is no other attempt; Awaits are those for which
	// alone there is one.
	GivesUp []string `json:"givesUp,omitempty"`
	Awaits  []string `json:"awaits,omitempty"`
	// Everything is set if nothing tells errors apart.
	Everything bool `json:"everything,omitempty"`
}

// Handlings lists what a retry site makes of failures of what its attempts call themselves; nothing where that isn't known.
func (res *Result) Handlings(r *Repetition) []Handling {
	if r.Role != sites.Retry || r.Function == nil || r.Hop.Kind == "client" || res.pkg == nil || res.pkg.Dependency {
		return nil
	}
	var calls []*ssa.Call
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if ok && len(step.Calls) == 0 && CalleeName(&call.Call) != "" && returnsError(call) && r.FailureRepeats(step) {
			calls = append(calls, call)
		}
	}
	everything := !r.TellsErrorsApart()
	var list []Handling
	for _, call := range calls {
		h := Handling{Calls: CalleeName(&call.Call), Everything: everything}
		if !everything {
			h.take(r.RepeatsAfter(call))
			if len(calls) == 1 {
				h.predicates(r)
			}
		}
		if h.known() && !slices.ContainsFunc(list, func(other Handling) bool { return other.Calls == h.Calls }) {
			list = append(list, h)
		}
	}
	return list
}

func (h *Handling) known() bool { return h.Everything || len(h.GivesUp) > 0 || len(h.Awaits) > 0 }

// take adds what the code answers about errors that it names.
func (h *Handling) take(cases fault.Cases) {
	beside := fault.Unsure
	for _, c := range cases {
		if c.Test == fault.Else {
			beside = c.Answer
		}
	}
	for _, c := range cases {
		name := strings.TrimPrefix(string(c.Test.Example()), "=")
		switch {
		case c.Test == fault.Else || strings.HasPrefix(strings.TrimPrefix(name, "*"), "context."):
		case c.Answer == fault.No:
			h.add(&h.GivesUp, name)
		case c.Answer == fault.Yes && beside == fault.No:
			h.add(&h.Awaits, name)
		}
	}
}

func (h *Handling) add(list *[]string, name string) {
	if name != "" && !slices.Contains(*list, name) {
		*list = append(*list, name)
		slices.Sort(*list)
	}
}

// predicates adds what functions of other packages are asked about the error by the branches that end a loop.
func (h *Handling) predicates(r *Repetition) {
	if r.Site == nil {
		return
	}
	for _, d := range r.Site.Decisions() {
		if name, yes := r.asksElsewhere(d.Branch.Cond); d.Leaves == yes {
			h.add(&h.GivesUp, name)
		}
	}
}

// asksElsewhere names what a condition asks a function of another package about an error: the predicate, or the code that it
// compares with; yes is the outcome that says that it is this one.
func (r *Repetition) asksElsewhere(cond ssa.Value) (name string, yes bool) {
	cond, yes = sites.Unnegated(cond, true)
	switch v := cond.(type) {
	case *ssa.Call:
		if isBool(v.Type()) && r.asksAbout(v) {
			return CalleeName(&v.Call), yes
		}
	case *ssa.BinOp:
		call, ok := v.X.(*ssa.Call)
		if code := codeName(v.Y); ok && code != "" && r.asksAbout(call) && (v.Op == token.EQL || v.Op == token.NEQ) {
			return code, yes == (v.Op == token.EQL)
		}
	}
	return "", false
}

// asksAbout reports whether a call gives an error, and nothing else, to a function of another package.
func (r *Repetition) asksAbout(call *ssa.Call) bool {
	callee := resolve(call.Call.StaticCallee())
	return callee != nil && callee.Pkg != r.pkg.SSA && callee.Signature.Recv() == nil &&
		len(call.Call.Args) == 1 && typename.IsError(call.Call.Args[0].Type()) && CalleeName(&call.Call) != ""
}

// codeName is the constant of a named type that v is: google.golang.org/grpc/codes.NotFound. Zero is no failure.
func codeName(v ssa.Value) string {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int || constant.Sign(c.Value) == 0 {
		return ""
	}
	n, ok := types.Unalias(c.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		k, isConst := scope.Lookup(name).(*types.Const)
		if isConst && types.Identical(k.Type(), n) && constant.Compare(k.Val(), token.EQL, c.Value) {
			return fmt.Sprintf("%s.%s", n.Obj().Pkg().Path(), name)
		}
	}
	return ""
}
