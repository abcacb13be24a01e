package callgraph

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// Code that wraps retries around whatever it is given, a transport or a handler, installs them where it is called: that call
// is a place of its own, like the option of a library that makes a client retry. Such a function returns, or stores in what
// it is given, a function of the next layer whose result repeats calls of that layer.

// next stands for the layer that a middleware is put around.
var next = value.Named("·next")

// installedLayers records the calls that install retries. It is done when all paths are known, since it asks for more than
// chains need.
func (p *Package) installedLayers() {
	for _, id := range p.bodyIDs() {
		body := p.body(id)
		for i := range body.Calls {
			p.installed(&body.Calls[i])
		}
	}
}

// installed records the call of a function of the workspace as a site if it installs retries.
func (p *Package) installed(c *Call) {
	callee := resolve(c.instr.Common().StaticCallee())
	if callee == nil || !p.inWorkspace(callee) || callee.Parent() != nil {
		return
	}
	hop, ok := p.installsRetries(callee, c.instr.Common())
	if !ok {
		return
	}
	h := p.hop(c.fn, c.instr.Pos())
	h.Kind, h.Label = "client", calleeLabel(c.instr.Common())
	h.Attempts, h.Unlimited, h.Bounded = hop.Attempts, hop.Unlimited, hop.Bounded
	h.Policy, h.Library, h.Version = hop.Policy, hop.Library, hop.Version
	p.noteCall(h, c.instr)
	p.record(h, sites.Retry)
}

// installsRetries returns the site of a middleware that a function makes when it is called with call.
func (p *Package) installsRetries(callee *ssa.Function, call *ssa.CallCommon) (Hop, bool) {
	f := p.summaryOf(callee)
	if f == nil {
		return Hop{}, false
	}
	made := slices.Clone(f.Results)
	for _, s := range f.Stores {
		made = append(made, s.Value)
	}
	if !slices.ContainsFunc(made, isFunction) {
		return Hop{}, false
	}
	frame := p.frame(p.arguments(call), p.captured(call))
	for _, t := range made {
		if !isFunction(t) {
			continue
		}
		if wrapped, ok := p.result(frame.Substitute(asFunction(t)), "", []value.Term{next}, 0); ok {
			if hop, repeats := p.repeatsNext(wrapped); repeats {
				return hop, true
			}
		}
	}
	return Hop{}, false
}

func isFunction(t value.Term) bool { return asFunction(t).Kind == value.Func }

// asFunction returns the function that t is, also as a value of a type that has methods.
func asFunction(t value.Term) value.Term {
	if from, ok := t.Get(value.From); ok && t.Kind == value.Record {
		return from
	}
	return t
}

// repeatsNext returns the site of a layer that repeats calls of the next one: in a method, or in itself if it is a function.
func (p *Package) repeatsNext(layer value.Term) (Hop, bool) {
	switch layer.Kind {
	case value.Func:
		_, free := bind(layer, nil)
		return p.around(p.Paths(layer.Name), p.frame(nil, free))
	case value.Record:
		if isFunction(layer) {
			return p.repeatsNext(asFunction(layer))
		}
		for _, id := range p.tellingMethods(layer.Name) {
			if hop, ok := p.around(p.Paths(id), p.frame([]value.Term{layer}, nil)); ok {
				return hop, true
			}
		}
	}
	return Hop{}, false
}

// around returns the innermost site among paths that has the next layer as its operation.
func (p *Package) around(paths []Path, frame value.Frame) (Hop, bool) {
	for _, path := range paths {
		if len(path.Hops) == 0 || path.Tail == nil || !path.Tail.in(frame).Callee.Any(isNext) {
			continue
		}
		return path.Hops[len(path.Hops)-1].in(frame), true
	}
	return Hop{}, false
}

// isNext also takes what is made of the next layer, such as another layer around it.
func isNext(t value.Term) bool { return value.Equal(t, next) }
