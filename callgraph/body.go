package callgraph

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// A Body is what a function does, as far as chains can go through it: its calls, in terms of its parameters.
type Body struct {
	ID string `json:"i"`
	// Name is what reports call the function, and File where it stands.
	Name string `json:"n,omitempty"`
	File string `json:"f,omitempty"`
	// Line and End are its first and last lines.
	Line int `json:"l,omitempty"`
	End  int `json:"d,omitempty"`
	// Parent is the function around a function literal.
	Parent string `json:"o,omitempty"`
	// Entry is set if the function can be called from anywhere: it is exported, main, or an initialiser.
	Entry bool `json:"e,omitempty"`
	// Method is set if the function has a receiver.
	Method bool `json:"m,omitempty"`
	// Params are the parameters as terms of the function itself, the receiver first.
	Params []value.Term `json:"p,omitempty"`
	// Classifiers are the indexes of parameters that tell whether an error is of a kind.
	Classifiers []int  `json:"k,omitempty"`
	Calls       []Call `json:"c,omitempty"`
	// Results are the values of the results, and Bindings the variables that a literal captures, in terms of Parent. Coarse are
	// flows that only types are read from (coarse.go). Only raw summaries have them.
	Results  []value.Term `json:"r,omitempty"`
	Bindings []value.Term `json:"b,omitempty"`
	Coarse   []Flow       `json:"w,omitempty"`
	Ends     []sites.End  `json:"u,omitempty"`
	Errors
}

// A Call is a call that a function makes: of a function that is known, or of a Tail.
type Call struct {
	// Around are the sites of the function itself that execute the call again, outermost first. Again is the boolean by
	// which the innermost one decides, as in Tail.Repeats.
	Around []Hop  `json:"h,omitempty"`
	Again  string `json:"g,omitempty"`
	// Mute is set if the call has no result that could tell, and isn't given a function that could: nobody learns that
	// something below has failed.
	Mute bool `json:"e,omitempty"`
	// Operates is set if the call is the operation of the innermost of Around.
	Operates bool `json:"o,omitempty"`
	// Answers is set if the function hands on the boolean by which the call says whether to make another attempt.
	Answers bool `json:"v,omitempty"`
	// At is the hop that the call is if it supplies the operation of a helper.
	At Hop `json:"x"`
	// Callee identifies the function that is called with Args, and Captured if it is a literal.
	Callee   string       `json:"c,omitempty"`
	Args     []value.Term `json:"a,omitempty"`
	Captured []value.Term `json:"b,omitempty"`
	// Tail is what is called if Callee isn't known.
	Tail *Tail `json:"t,omitempty"`
	// Interface is the type of the value whose method is called.
	Interface string `json:"n,omitempty"`
	// Beside is set for calls in a new goroutine.
	Beside bool `json:"s,omitempty"`
	// When are conditions on the function's parameters under which the call is reached.
	When []value.Term `json:"w,omitempty"`
	// Differs lists the words, with the library they are of, for which the call differs from what is assumed of its leading
	// outward.
	Differs []string `json:"d,omitempty"`
	// Out are the errors that the function returns after the call failed with fault.Tail: through no site or once the one
	// around it has given up. Fails are those that the call fails with, where it is an operation of which no more is known.
	// Only raw summaries have them.
	Out fault.Set `json:"y,omitempty"`
	// OutTrue and OutFalse are those of Out that the function returns beside a boolean that is true, or false.
	OutTrue  fault.Set `json:"yt,omitempty"`
	OutFalse fault.Set `json:"yf,omitempty"`
	Fails    fault.Set `json:"z,omitempty"`

	around []*sites.Site
	idle   bool // leads to no site

	instr ssa.CallInstruction
	fn    *ssa.Function
}

// body returns the calls of a function of this package, nil for others.
func (p *Package) body(id string) *Body {
	if b, ok := p.bodied[id]; ok {
		return b
	}
	fn := p.byID[id]
	if fn == nil {
		return nil
	}
	b := &Body{ID: id, Name: nameOf(fn), Entry: isEntry(fn), Method: fn.Signature.Recv() != nil}
	b.File, b.Line, _ = p.place(fn.Pos())
	if fn.Syntax() != nil {
		_, b.End, _ = p.place(fn.Syntax().End())
	}
	p.bodied[id] = b
	if fn.Parent() != nil {
		b.Parent = idOf(fn.Parent())
	}
	for _, param := range fn.Params {
		b.Params = append(b.Params, parameter(param))
		if isClassifier(param.Type()) {
			b.Classifiers = append(b.Classifiers, len(b.Params)-1)
		}
	}
	if len(fn.Blocks) <= maxFunction {
		b.Calls = p.callsIn(fn)
	}
	return b
}

func (p *Package) callsIn(fn *ssa.Function) []Call {
	var list []Call
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, isGo := call.(*ssa.Go); isGo {
				continue // runs beside the attempts, not in them
			}
			if c, matters := p.callIn(fn, call); matters {
				list = append(list, c)
			}
		}
	}
	return list
}

// callIn describes a call. It doesn't matter if no chain can go through it and no site is around it.
func (p *Package) callIn(fn *ssa.Function, call ssa.CallInstruction) (c Call, matters bool) {
	c = Call{instr: call, fn: fn}
	for _, s := range p.Sites(fn) {
		if s.Role == sites.Retry && s.Repeated[call] {
			c.Around, c.around = append(c.Around, p.ownHop(s)), append(c.around, s)
			c.Again, c.Operates = s.Again, s.Operation == call
		}
	}
	p.target(&c)
	if c.Callee == "" && c.Tail == nil && len(c.Around) == 0 {
		return c, false
	}
	c.At = p.hop(fn, call.Pos())
	c.At.Kind, c.At.Label = "helper-call", calleeLabel(call.Common())
	p.noteCall(c.At, call)
	c.Mute, c.When = !c.Operates && mute(call.Common()), p.conditions(call)
	c.Answers = c.Callee != "" && len(c.Around) == 0 && p.answersFor(fn, call)
	return c, true
}

// mute reports whether a call has no result that could tell of a failure, and involves no function value that may store its
// error in a variable that it captures. A function value that is called for what it results in, a clock, isn't one of those.
func mute(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	for i := range results.Len() {
		if !isPlain(results.At(i).Type()) {
			return false
		}
	}
	for _, a := range call.Args {
		if _, isFunc := a.Type().Underlying().(*types.Signature); isFunc {
			return false
		}
	}
	callee := call.StaticCallee()
	if callee == nil && !call.IsInvoke() {
		return results.Len() > 0
	}
	return call.IsInvoke() || callee.Parent() == nil
}

// isPlain reports whether values of a type are text, times or lists of plain values: what a function gives that can't fail.
// That an empty one stands for a failure is left aside, unless a site asks for it itself.
func isPlain(t types.Type) bool {
	for range 8 { // a list may hold lists of its own type
		list, ok := t.Underlying().(*types.Slice)
		if !ok {
			break
		}
		t = list.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return true
	}
	u, ok := t.Underlying().(*types.Basic)
	return ok && (u.Info()&types.IsString != 0 || u.Kind() == types.Byte)
}

// target describes what is called.
func (p *Package) target(c *Call) {
	common := c.instr.Common()
	if k := p.lookup(common); k != nil {
		c.Tail = p.libraryCall(c.fn, c.instr, k)
		return
	}
	if given := runOnce(common); given != nil {
		c.Tail = &Tail{Callee: p.Term(given)}
		return
	}
	if common.IsInvoke() {
		if !quiet(common.Value.Type()) {
			c.Tail = &Tail{Callee: p.Term(common.Value), Method: common.Method.Name(), Args: p.plainArguments(common)}
			c.Interface = typename.Of(common.Value.Type())
		}
		return
	}
	callee := resolve(common.StaticCallee())
	if callee == nil {
		if _, isBuiltin := common.Value.(*ssa.Builtin); !isBuiltin {
			c.Tail = &Tail{Callee: p.Term(common.Value), Args: p.plainArguments(common)}
		}
		return
	}
	if !p.mayCall(callee) && !p.inWorkspace(callee) {
		return
	}
	c.Callee, c.Args, c.Captured = p.identify(callee), p.plainArguments(common), p.captured(common)
}

// mayCall reports whether anything is known of what lies below a call of callee.
func (p *Package) mayCall(callee *ssa.Function) bool {
	if callee.Pkg == p.SSA || callee.Parent() != nil {
		return true
	}
	f := p.summaryOf(callee)
	return f != nil && len(f.Paths) > 0
}

// identify returns the identity of callee, by which its body or summary is found again.
func (p *Package) identify(callee *ssa.Function) string {
	id := idOf(callee)
	if (callee.Pkg == p.SSA || callee.Parent() != nil) && p.byID[id] != callee {
		id = callee.String() // a wrapper, which bears its method's name
		p.byID[id] = callee
	}
	return id
}

// pathsOf returns the paths of a function of another package.
func (p *Package) pathsOf(id string) []Path {
	if f := p.named(id); f != nil {
		return f.Paths
	}
	return nil
}

// Sites returns the retry sites and their look-alikes in fn, outer ones first.
func (p *Package) Sites(fn *ssa.Function) []*sites.Site {
	if list, ok := p.sites[fn]; ok {
		return list
	}
	p.sites[fn] = nil
	list := sites.Find(fn, p)
	p.sites[fn] = list
	return list
}

// ownHop returns the hop that a site in a body is.
func (p *Package) ownHop(s *sites.Site) Hop {
	h := p.hop(s.Function, s.Pos)
	h.Kind, h.Label, h.Attempts, h.Unlimited, h.Bounded = string(s.Kind), label(s), s.Attempts, s.Unlimited, s.Bounded
	if s.Counter != nil {
		h.Counter = p.Term(s.Counter)
	}
	if s.Waiter != nil {
		h.Counter = p.object(s.Waiter)
	}
	if s.Gate != nil {
		h.Keeper, h.Gate, h.GateEnds = p.Term(s.Gate.Call.Value), p.Term(s.Gate), s.GateEnds
	}
	if s.Iterator != nil {
		p.iterate(&h, s.Iterator)
	}
	p.note(h, s.Operation.Pos())
	_, h.Token[0], h.Token[1] = p.place(s.Operation.Pos())
	h.accept(p.acceptedAt(s.Operation.Pos()))
	return h
}

// object tells which object v is, whatever is done to it.
func (p *Package) object(v ssa.Value) value.Term {
	switch v := v.(type) {
	case *ssa.Parameter:
		return parameter(v)
	case *ssa.FreeVar:
		return freeVar(v)
	}
	return origin(p.Term(v))
}

func label(s *sites.Site) string {
	switch s.Kind {
	case sites.Recursion:
		return "recursion"
	case sites.Straight:
		return "second attempt"
	case sites.Goto:
		return "jump back"
	}
	return "loop"
}

// iterate takes the number of attempts of a loop from the library's iterator that decides in its condition.
func (p *Package) iterate(h *Hop, call *ssa.Call) {
	k := p.lookup(&call.Call)
	if k == nil || k.row.Site == nil {
		return
	}
	h.Attempts = p.policyValue(&k.row.Site.Value, k, &call.Call, resultType(call))
	h.Policy, h.Library, h.Version = policyName(k.row.Site.Policy, k, resultType(call)), k.library.Root(), k.version
	h.Unlimited = false
}

// hop returns a hop at pos in fn.
func (p *Package) hop(fn *ssa.Function, pos token.Pos) Hop {
	h := Hop{Function: nameOf(fn), Package: pathOf(p.Types.Path()), Module: p.Module, Owner: idOf(fn)}
	h.File, h.Line, h.Column = p.place(pos)
	h.Accepted = p.acceptedAt(pos)
	h.Foreign = pos.IsValid() && p.generated[p.Fset.File(pos).Name()]
	return h
}

// quiet reports whether an interface has no implementation that retries matter for.
func quiet(t types.Type) bool {
	pkgPath, name := splitName(typename.Of(t))
	return pkgPath == "" && name != "" || catalog.QuietInterfaces(pkgPath)
}

// plainArguments describes arguments as they are: a function that is executed must not be taken for an option.
func (p *Package) plainArguments(call *ssa.CallCommon) []value.Term {
	args := make([]value.Term, len(call.Args))
	for i, a := range call.Args {
		args[i] = p.Term(a)
	}
	return args
}

func (p *Package) bodyIDs() []string {
	ids := make([]string, len(p.functions))
	for i, fn := range p.functions {
		ids[i] = idOf(fn)
	}
	return ids
}

func (p *Package) version(importPath string) string { return p.imports.Version(importPath) }

// methodID identifies the method of the type that a Record has. Types that this package doesn't see come with their methods.
func (p *Package) methodID(receiver value.Term, name string) string {
	if m := p.methodObject(receiver, name); m != nil {
		p.objects[m.FullName()] = m
		return m.FullName()
	}
	for _, id := range p.imports.Methods(receiver.Name) {
		if strings.HasSuffix(id, ")."+name) {
			return id
		}
	}
	return ""
}

func (p *Package) resolve(t value.Term) value.Term { return p.close(t) }

// entries returns the one frame in which a function is looked at by itself: with what all calls in the package give it.
func (p *Package) entries(body *Body) []value.Frame {
	if body.Parent != "" {
		return nil // what a literal captures isn't known by itself
	}
	return []value.Frame{p.frame(p.callersArguments(body), nil)}
}

// embedded returns the embedded field of a struct that the method called name belongs to.
func (p *Package) embedded(receiver value.Term, name string) (part value.Term, declared string, ok bool) {
	t := p.typeNamed(receiver.Name)
	if t == nil {
		return value.Term{}, "", false
	}
	_, index, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.(*types.Named).Obj().Pkg(), name)
	st, ok := t.Underlying().(*types.Struct)
	if len(index) < 2 || !ok {
		return value.Term{}, "", false
	}
	field := st.Field(index[0])
	return owned(value.Select(receiver, field.Name()), field.Name(), receiver.Name), typename.Of(field.Type()), true
}

// alsoArriving adds nothing: which types flow where is for a program to know.
func (p *Package) alsoArriving(known, _ value.Term, _ string) value.Term { return known }

// assume finds nothing: a package doesn't see what others set.
func (p *Package) assume(t value.Term) (assumed value.Term, words string, ok bool) {
	return t, "", false
}

// isClassifier reports whether functions of a type tell whether an error is of a kind.
func isClassifier(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !typename.IsError(sig.Params().At(0).Type()) {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

func (p *Package) endsOf(id string) []sites.End {
	if f := p.named(id); f != nil {
		return f.Ends
	}
	return nil
}
