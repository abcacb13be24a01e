package retryidempotency

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
)

// An attempt is what a site executes again.
type attempt struct {
	*callgraph.Repetition
	foreign   *foreign
	steps     []callgraph.Step
	functions []*ssa.Function // that an attempt executes a part of, beside that of the site
	guarding  []string        // names that protect its writes
	raises    map[string]bool // errors of the project that stand for ambiguous ones
}

// maxSteps bounds how much of an attempt is looked at.
const maxSteps = 20000

func newAttempt(r *callgraph.Repetition, f *foreign) *attempt {
	a := &attempt{Repetition: r, foreign: f}
	a.follow(r.AttemptThroughValues(), maxSteps)
	return a
}

// follow takes the steps of an attempt, up to a number of them.
func (a *attempt) follow(steps iter.Seq[callgraph.Step], most int) {
	for step := range steps {
		if len(a.steps) == most {
			return
		}
		a.steps = append(a.steps, step)
		if fn := step.Instr.Parent(); (a.Site == nil || fn != a.Function) && !slices.Contains(a.functions, fn) {
			a.functions = append(a.functions, fn)
		}
	}
}

// executes reports whether an attempt executes instr, and not what stands around it.
func (a *attempt) executes(instr ssa.Instruction) bool {
	return a.Repeats(instr) || slices.Contains(a.functions, instr.Parent())
}

// outermost returns the instruction of the repeated code itself that step is part of.
func outermost(step callgraph.Step) ssa.Instruction {
	if len(step.Calls) > 0 {
		return step.Calls[0]
	}
	return step.Instr
}

// inFunction reports whether instr stands in the function of the site, or a literal in it.
func (a *attempt) inFunction(instr ssa.Instruction) bool {
	top := a.Function
	for top.Parent() != nil {
		top = top.Parent()
	}
	return scope{top}.holds(instr.Parent())
}

// parts takes the callee of a call apart: the package, the type of the receiver if it has one, and the name.
func calleeParts(call *ssa.CallCommon) (pkgPath, typ, name string) {
	full := callgraph.CalleeName(call)
	if rest, isMethod := strings.CutPrefix(full, "("); isMethod {
		receiver, method, _ := strings.Cut(rest, ").")
		receiver = strings.TrimPrefix(receiver, "*")
		dot := strings.LastIndexByte(receiver, '.')
		if dot < 0 {
			return "", receiver, method
		}
		typ, _, _ = strings.Cut(receiver[dot+1:], "[")
		return receiver[:dot], typ, method
	}
	dot := strings.LastIndexByte(full, '.')
	if dot < 0 {
		return "", "", full
	}
	return full[:dot], "", full[dot+1:]
}

// arguments lists what a call is given, the receiver first.
func arguments(call *ssa.CallCommon) []ssa.Value {
	if call.IsInvoke() {
		return append([]ssa.Value{call.Value}, call.Args...)
	}
	return call.Args
}

// text returns the constant string that a value is, as far as the calls that lead there tell.
func (a *attempt) text(v ssa.Value, step callgraph.Step) (string, bool) {
	v, _ = step.Given(v)
	return a.Text(v)
}

// spread lists the arguments of a call with those of a variadic list one by one.
func spread(call *ssa.CallCommon) []ssa.Value {
	args := arguments(call)
	if !call.Signature().Variadic() || len(args) == 0 {
		return args
	}
	last := args[len(args)-1]
	return append(slices.Clone(args[:len(args)-1]), elements(last)...)
}

// elements lists what is put into a slice where it is made.
func elements(list ssa.Value) []ssa.Value {
	slice, ok := list.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var found []ssa.Value
	for _, ref := range *array.Referrers() {
		at, isIndex := ref.(*ssa.IndexAddr)
		if !isIndex {
			continue
		}
		for _, use := range *at.Referrers() {
			if s, isStore := use.(*ssa.Store); isStore && s.Addr == at {
				found = append(found, s.Val)
			}
		}
	}
	return found
}

// plain is v without the conversions around it.
func plain(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Convert:
			v = x.X
		default:
			return v
		}
	}
}
