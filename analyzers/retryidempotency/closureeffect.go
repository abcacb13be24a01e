package retryidempotency

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// closureEffects reports what a function that is run again when its transaction conflicts does outside of the transaction.
func closureEffects(pass *rule.Pass, t *callgraph.Transaction) {
	for _, fn := range t.Operations {
		c := &closure{pass: pass, transaction: t, scope: scope{fn}}
		for step := range t.Run(fn) {
			c.check(step)
		}
	}
}

type closure struct {
	scope
	pass        *rule.Pass
	transaction *callgraph.Transaction
}

func (c *closure) check(step callgraph.Step) {
	switch instr := step.Instr.(type) {
	case *ssa.Store:
		c.store(instr, step)
	case *ssa.MapUpdate:
		if v, ok := c.lasting(instr.Map, step); ok && c.adds(instr.Value, v, step) {
			c.grows(step, v)
		}
	case *ssa.Send:
		if v, ok := c.outer(instr.Chan, step); ok {
			c.report(step, fmt.Sprintf("sends on %s again", v.name), nil)
		}
	case *ssa.Select:
		for _, state := range instr.States {
			if v, ok := c.outer(state.Chan, step); ok && state.Dir == types.SendOnly {
				c.report(step, fmt.Sprintf("sends on %s again", v.name), nil)
			}
		}
	case *ssa.Call:
		c.call(instr, step)
	}
}

func (c *closure) store(s *ssa.Store, step callgraph.Step) {
	v, ok := c.lasting(s.Addr, step)
	if !ok || !c.adds(s.Val, v, step) || c.countsRuns(s, v) {
		return
	}
	c.grows(step, v)
}

// lasting is like outer, for what isn't made anew by each round of a loop around the transaction.
func (c *closure) lasting(addr ssa.Value, step callgraph.Step) (variable, bool) {
	v, ok := c.outer(addr, step)
	made, isInstr := v.root.(ssa.Instruction)
	return v, ok && !(isInstr && c.transaction.Site != nil && c.transaction.Site.Holds(made))
}

// adds reports whether a value is what v held before with something added.
func (c *closure) adds(val ssa.Value, v variable, step callgraph.Step) bool {
	switch val := val.(type) {
	case *ssa.Call:
		b, ok := val.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && c.reads(val.Call.Args[0], v, step) && !collectsErrors(val.Type())
	case *ssa.BinOp:
		switch val.Op {
		case token.ADD, token.SUB, token.MUL, token.OR, token.XOR:
			return c.reads(val.X, v, step) || c.reads(val.Y, v, step)
		}
	case *ssa.Convert:
		return c.adds(val.X, v, step)
	}
	return false
}

// reads reports whether a value is read from v, or is itself made by adding to it.
func (c *closure) reads(val ssa.Value, v variable, step callgraph.Step) bool {
	switch val := val.(type) {
	case *ssa.UnOp:
		w, ok := c.outer(val.X, step)
		return val.Op == token.MUL && ok && w == v
	case *ssa.Lookup:
		w, ok := c.outer(val.X, step)
		return ok && w == v
	case *ssa.Extract:
		return c.reads(val.Tuple, v, step)
	}
	return c.adds(val, v, step)
}

// collectsErrors reports whether a slice holds errors: what went wrong with each run is meant to be kept.
func collectsErrors(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.TypeString(slice.Elem(), nil) == "error"
}

var runWord = regexp.MustCompile(`(?i)attempt|tries|try$|retries|retry|runs|rounds`)

// countsRuns reports whether a counter is there to count the runs: it is incremented first of all, or called so.
func (c *closure) countsRuns(s *ssa.Store, v variable) bool {
	sum, ok := s.Val.(*ssa.BinOp)
	if !ok {
		return false
	}
	one, isConst := sum.Y.(*ssa.Const)
	first := s.Parent() == c.function && s.Block() == c.function.Blocks[0]
	return runWord.MatchString(v.name) || first && isConst && one.Value != nil && one.Value.ExactString() == "1"
}

// grows reports a variable that keeps what an earlier run has added, unless the code empties it first.
func (c *closure) grows(step callgraph.Step, v variable) {
	if c.emptied(step, v) {
		return
	}
	c.report(step, fmt.Sprintf("adds to %s again", v.name), c.resetting(v))
}

// emptied reports whether v, or what holds it, is assigned or emptied in the function before what step does.
func (c *closure) emptied(step callgraph.Step, v variable) bool {
	at := c.within(step)
	if at == nil {
		return false
	}
	if site := c.transaction.Site; site != nil { // a round of the loop may empty it
		for _, b := range c.transaction.Function.Blocks {
			for _, instr := range b.Instrs {
				if site.Holds(instr) && c.empties(instr, v) {
					return true
				}
			}
		}
	}
	for _, b := range c.function.Blocks {
		for _, instr := range b.Instrs {
			if c.empties(instr, v) && before(instr, at) {
				return true
			}
		}
	}
	return false
}

func (c *closure) empties(instr ssa.Instruction, v variable) bool {
	here := callgraph.Step{}
	switch instr := instr.(type) {
	case *ssa.Store:
		w, ok := c.outer(instr.Addr, here)
		return ok && v.under(w) && !c.adds(instr.Val, w, here)
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "clear" {
			w, isOuter := c.outer(instr.Call.Args[0], here)
			return isOuter && w == v
		}
		row := accumulatorOf(instr)
		if row == nil || !slices.Contains(row.Empties, instr.Call.StaticCallee().Name()) {
			return false
		}
		w, ok := c.outer(instr.Call.Args[0], here)
		return ok && w == v
	}
	return false
}

// within returns the instruction of the function itself that step is part of: the call, or the literal made.
func (c *closure) within(step callgraph.Step) ssa.Instruction {
	at := step.Instr
	if len(step.Calls) > 0 {
		at = step.Calls[0]
	}
	for at.Parent() != c.function {
		mc := closureOf(at.Parent())
		if mc == nil {
			return nil
		}
		at = mc
	}
	return at
}

// before reports whether a is always executed before b.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	list := a.Block().Instrs
	return slices.Index(list, a) < slices.Index(list, b)
}

func accumulatorOf(call *ssa.Call) *catalog.Accumulator {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil {
		return nil
	}
	rows := catalog.OfEffects().Accumulators
	for i := range rows {
		if rows[i].Name == typename.Of(fn.Signature.Recv().Type()) {
			return &rows[i]
		}
	}
	return nil
}

func (c *closure) call(call *ssa.Call, step callgraph.Step) {
	if row := accumulatorOf(call); row != nil && slices.Contains(row.Adds, call.Call.StaticCallee().Name()) {
		if v, ok := c.lasting(call.Call.Args[0], step); ok && !runWord.MatchString(v.name) && !c.emptied(step, v) {
			c.report(step, fmt.Sprintf("adds to %s again", v.name), nil)
		}
		return
	}
	if c.throughHandle(call, step) {
		return
	}
	if does := c.outside(call, step); does != "" {
		c.report(step, does+" again", nil)
	}
}

// outside says what a call does in the world outside, "" if nothing that is known.
func (c *closure) outside(call *ssa.Call, step callgraph.Step) string {
	a := &attempt{Repetition: c.transaction.Repetition, functions: []*ssa.Function{c.function}}
	if w := a.write(call, step); w != nil && !w.protected(a) {
		return w.does
	}
	if common := call.Common(); common.IsInvoke() && announces(common.Method) {
		if v, ok := c.outer(common.Value, step); ok {
			return fmt.Sprintf("calls %s.%s", v.name, common.Method.Name())
		}
	}
	return ""
}

// announces reports whether a method tells the world something, by its name.
func announces(m *types.Func) bool {
	words := wordsOf(m.Name())
	return len(words) > 0 && slices.Contains([]string{"send", "publish", "notify", "charge", "emit", "email", "refund", "broadcast", "dispatch", "enqueue"}, words[0]) && m.Signature().Params().Len() > 0
}

// throughHandle reports whether a call is made on, or is given, a handle of the transaction: what it does is undone with it.
func (c *closure) throughHandle(call *ssa.Call, step callgraph.Step) bool {
	common := call.Common()
	list := common.Args
	if common.IsInvoke() {
		list = append([]ssa.Value{common.Value}, list...)
	}
	if slices.ContainsFunc(list, func(v ssa.Value) bool { return callgraph.IsHandle(v.Type()) }) {
		return true
	}
	if slices.ContainsFunc(c.function.Params, func(p *ssa.Parameter) bool { return callgraph.IsHandle(p.Type()) }) {
		return false
	}
	return slices.ContainsFunc(list, func(v ssa.Value) bool { // where there is no handle, the context is one
		given, _ := step.Given(v)
		p, ok := given.(*ssa.Parameter)
		return ok && p.Parent() == c.function
	})
}

func (c *closure) report(step callgraph.Step, does string, fixes []analysis.SuggestedFix) {
	pos := placeOf(step.Instr)
	message := fmt.Sprintf("the function %s: %s when the transaction conflicts", does, c.transaction.Label)
	d := analysis.Diagnostic{Pos: pos, Message: message, SuggestedFixes: fixes}
	if len(step.Calls) > 0 && !c.holds(step.Instr.Parent()) {
		d.Pos = step.Calls[0].Pos()
		d.Related = []analysis.RelatedInformation{{Pos: pos, Message: "here"}}
	}
	if call, ok := step.Instr.(ssa.CallInstruction); ok && d.Pos == pos {
		d.Pos = c.transaction.Token(call)
	}
	c.pass.Report("closureeffect", d)
}
