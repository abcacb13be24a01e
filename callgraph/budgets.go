package callgraph

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
)

// A Budget is state beside the number of attempts that decides whether there is another one.
type Budget struct {
	// Kind says what it bounds: rate or concurrency.
	Kind budget.Kind `json:"kind"`
	// Name is that of the state, or of what holds the budget of another package: bucket.tokens. It is declared at the place.
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Budgets lists what gates a retry site, in the order of the source; a helper's loop gates those who call it.
func (r *Result) Budgets(of *Repetition) []Budget {
	if of.Role != sites.Retry || of.Function == nil || r.pkg == nil || r.pkg.Dependency {
		return nil
	}
	found := r.pkg.libraryBudgets(of)
	if of.Hop.Kind != "client" { // a client's request is the library's
		found = append(found, r.pkg.pacing(of)...)
		found = append(found, r.pkg.gatedBy(of)...)
	}
	if loop := r.HelperLoop(of); loop != nil && of.Site == nil {
		found = append(found, r.pkg.gatedBy(loop)...)
	}
	var list []Budget
	for _, b := range found {
		if b.Kind != "" && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b Budget) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// gatedBy lists the budgets that r asks.
func (p *Package) gatedBy(r *Repetition) []Budget {
	var list []Budget
	for _, g := range r.Gates() {
		list = append(list, p.budgetOf(g))
	}
	return list
}

// pacing lists what each attempt of r waits for until it may begin, in a loop or a function that a library executes.
func (p *Package) pacing(r *Repetition) []Budget {
	var list []Budget
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) {
			continue
		}
		kind := budget.Rate
		switch catalog.Counts(CalleeName(&call.Call)) {
		case "pace":
		case "enter":
			kind = budget.Concurrency
		default:
			continue
		}
		name, pos := p.holder(call)
		list = append(list, p.budgetAt(kind, name, pos))
	}
	return list
}

// Counters is the index of what the functions of the package do to counters.
func (r *Result) Counters() *budget.Index { return r.pkg.counters() }

func (p *Package) counters() *budget.Index {
	if p.counted == nil {
		p.counted = budget.NewIndex(FunctionsOf(p.SSA))
	}
	return p.counted
}

// budgetOf tells of the state behind a gate; nothing, if no state is known that callers share.
func (p *Package) budgetOf(g Gate) Budget {
	if g.State == nil {
		name, pos := p.holder(g.Call)
		return p.budgetAt(g.foreign, name, pos)
	}
	counter, kind := p.counters().State(g.State)
	if counter == nil {
		return Budget{}
	}
	return p.budgetAt(kind, p.stateName(counter), counter.Pos())
}

func (p *Package) budgetAt(kind budget.Kind, name string, pos token.Pos) Budget {
	b := Budget{Kind: kind, Name: name}
	b.File, b.Line, _ = p.place(pos)
	return b
}

// holder is the variable or field that the receiver of a call is read from, or else the function that is called.
func (p *Package) holder(call ssa.CallInstruction) (name string, pos token.Pos) {
	if args := call.Common().Args; budget.Receiver(call.Common()) != nil {
		switch v := args[0].(type) {
		case *ssa.UnOp:
			switch at := v.X.(type) {
			case *ssa.FieldAddr:
				return p.heldIn(at, call)
			case *ssa.Global:
				return at.Name(), at.Pos()
			}
		case *ssa.FieldAddr:
			return p.heldIn(v, call)
		case *ssa.Global:
			return v.Name(), v.Pos()
		case *ssa.Parameter:
			return v.Name(), v.Pos()
		}
	}
	return calleeLabel(call.Common()), call.Pos()
}

func (p *Package) heldIn(at *ssa.FieldAddr, call ssa.CallInstruction) (name string, pos token.Pos) {
	field := at.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(at.Field).Origin()
	if field.Pkg() != p.Types {
		return field.Name(), call.Pos()
	}
	return p.stateName(field), field.Pos()
}

// stateName is what a counter is called: with its type in front, if it is the field of one.
func (p *Package) stateName(v *types.Var) string {
	if !v.IsField() {
		return v.Name()
	}
	for _, name := range p.Types.Scope().Names() {
		obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if st, isStruct := obj.Type().Underlying().(*types.Struct); isStruct && slices.Contains(slices.Collect(st.Fields()), v) {
			return name + "." + v.Name()
		}
	}
	return v.Name()
}
