package callgraph

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/typename"
)

// Beside contexts, other things limit the time of all attempts together: the loop or the policy itself, a client whose transport
// repeats, and the handler that the attempts are made for.

// outOfTime looks at repetitions that make as many attempts as fit into a time: where one attempt may take all of it, the first is
// the last.
func (p *Package) outOfTime(r *Repetition) []Overrun {
	limit, pos := p.ownLimit(r)
	if limit <= 0 {
		return nil
	}
	o := Overrun{Deadline: limit, Pos: pos, By: ByItself, Attempt: p.attemptLimit(r), Fits: 1}
	if o.Attempt < o.Deadline {
		return nil
	}
	return []Overrun{o}
}

// ownLimit is the constant time after which a repetition gives up by itself, and where that is said.
func (p *Package) ownLimit(r *Repetition) (time.Duration, token.Pos) {
	if r.Count.Kind != count.Symbol || r.Count.Bounded != "elapsed" {
		return 0, token.NoPos
	}
	if r.Site != nil {
		limit, asks := r.Site.TimeLimit(p)
		if asks == nil {
			return 0, token.NoPos
		}
		return time.Duration(limit), p.token(asks)
	}
	if r.Hop.Kind != "library-call" {
		return 0, token.NoPos
	}
	t := p.close(r.Hop.Attempts)
	for _, policy := range policiesOf(t, r.Hop) {
		for _, s := range policy.Settings {
			if v, set := settingOf(t, s.Name); set && s.Unit == "elapsed" && covers(policy, s, r.Hop.Version) {
				n, _ := v.IsInt()
				return time.Duration(n), r.Pos
			}
		}
	}
	return 0, token.NoPos
}

// clientAround is the Timeout of the HTTP clients whose transport is what r is a part of: it ends all attempts of a request
// together. It is 0 if a client without one has that transport, too.
func (p *Package) clientAround(r *Repetition) (time.Duration, token.Pos) {
	transport := transportOf(r.Function)
	if transport == nil {
		return 0, token.NoPos
	}
	longest, at := time.Duration(0), token.NoPos
	for _, fn := range p.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				client := p.clientWith(instr, transport)
				if client == nil {
					continue
				}
				limit, pos := p.timeoutOf(client)
				if limit == 0 {
					return 0, token.NoPos
				}
				if limit > longest {
					longest, at = limit, pos
				}
			}
		}
	}
	return longest, at
}

// transportOf is the type whose method RoundTrip fn is, nil if it is none.
func transportOf(fn *ssa.Function) types.Type {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Name() != "RoundTrip" || fn.Signature.Params().Len() != 1 || !isRequest(fn.Signature.Params().At(0).Type()) {
		return nil
	}
	return recv.Type()
}

func isRequest(t types.Type) bool {
	_, isPointer := t.(*types.Pointer)
	return isPointer && typename.Of(t) == "net/http.Request"
}

// clientWith returns the client whose transport instr sets to one of the type transport.
func (p *Package) clientWith(instr ssa.Instruction, transport types.Type) ssa.Value {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return nil
	}
	field, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || typename.Of(field.X.Type()) != "net/http.Client" || fieldNameOf(field) != "Transport" {
		return nil
	}
	if !p.isMadeOf(store.Val, transport) {
		return nil
	}
	return field.X
}

// isMadeOf reports whether an interface holds a value of type t: it is made of one here, or returned by a function of the package
// that makes it of one.
func (p *Package) isMadeOf(v ssa.Value, t types.Type) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return types.Identical(v.X.Type(), t)
	case *ssa.Call:
		callee := resolve(v.Call.StaticCallee())
		if callee == nil || callee.Pkg != p.SSA || len(callee.Blocks) != 1 {
			return false
		}
		ret, ok := callee.Blocks[0].Instrs[len(callee.Blocks[0].Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		made, ok := ret.Results[0].(*ssa.MakeInterface)
		return ok && types.Identical(made.X.Type(), t)
	}
	return false
}

// timeoutOf is the constant that the field Timeout of a client is set to beside its transport.
func (p *Package) timeoutOf(client ssa.Value) (time.Duration, token.Pos) {
	if client.Referrers() == nil {
		return 0, token.NoPos // a package variable
	}
	for _, ref := range *client.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldNameOf(field) != "Timeout" {
			continue
		}
		for _, use := range *field.Referrers() {
			if store, isStore := use.(*ssa.Store); isStore && store.Addr == ssa.Value(field) {
				n, _ := p.close(p.Term(store.Val)).IsInt()
				return time.Duration(n), store.Pos()
			}
		}
	}
	return 0, token.NoPos
}

const timeoutHandler = "net/http.TimeoutHandler"

// handlerLimit returns the call of http.TimeoutHandler that limits the requests which fn is given, nil if there is none.
func (p *Package) handlerLimit(fn *ssa.Function) *ssa.Call {
	if p.handlers == nil {
		p.handlers = map[*ssa.Function]*ssa.Call{}
		p.findHandlers()
	}
	return p.handlers[fn]
}

func (p *Package) findHandlers() {
	for _, fn := range p.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || calleeName(call) != timeoutHandler {
					continue
				}
				if handler := p.handles(call.Call.Args[0]); handler != nil {
					p.handlers[handler] = call
				}
			}
		}
	}
}

// handles is the function that a handler runs: the one that http.HandlerFunc converts, or the method ServeHTTP.
func (p *Package) handles(handler ssa.Value) *ssa.Function {
	made, ok := handler.(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	v := made.X
	if converted, isConverted := v.(*ssa.ChangeType); isConverted {
		v = converted.X
	}
	switch v := v.(type) {
	case *ssa.Function:
		return resolve(v)
	case *ssa.MakeClosure:
		return boundMethod(v)
	}
	return p.SSA.Prog.LookupMethod(v.Type(), p.Types, "ServeHTTP")
}

// boundMethod is the literal that a closure runs, or the method whose receiver it binds.
func boundMethod(mc *ssa.MakeClosure) *ssa.Function {
	fn := mc.Fn.(*ssa.Function)
	if method, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" {
		return fn.Prog.FuncValue(method)
	}
	return fn
}
