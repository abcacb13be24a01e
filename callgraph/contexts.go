package callgraph

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A context is in scope of a place if the code there could use it: it is a parameter, also of a function around, a request or
// a stream that carries one, a field of the receiver, or a context with a limit of its own that the repeated code works with.

// A Scope is the context that code should have regard to.
type Scope struct {
	// Name is what the code calls it: ctx, req.Context(), c.ctx.
	Name string
	// Var is the parameter or variable, if Name names one, or the one whose method Context is meant.
	Var types.Object
	// Field tells that it is a field of the receiver.
	Field bool

	made  *ssa.Call  // the call that detached it, of a context that the code made itself
	field *types.Var // of the receiver
}

// origin says where a context comes from.
type contextOrigin uint8

const (
	unknownOrigin  contextOrigin = iota
	callerOrigin                 // from outside of the function where the repetition is
	detachedOrigin               // made there or below, and never done because a caller has gone
)

// A source is where a context comes from, with what is set on the way.
type contextSource struct {
	origin contextOrigin
	// at is the call that detaches it: Background, TODO, WithoutCancel.
	at *ssa.Call
	// limits are the calls that give it a deadline, the last one first.
	limits []*ssa.Call
}

// tracer follows contexts backwards to where they come from.
type tracer struct {
	pkg  *Package
	seen map[ssa.Value]bool
}

func (p *Package) sourceOf(v ssa.Value, calls []ssa.CallInstruction) contextSource {
	t := &tracer{pkg: p, seen: map[ssa.Value]bool{}}
	return t.source(v, calls)
}

func (t *tracer) source(v ssa.Value, calls []ssa.CallInstruction) contextSource {
	if v == nil || t.seen[v] || len(t.seen) > 200 {
		return contextSource{}
	}
	t.seen[v] = true
	defer delete(t.seen, v)
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return t.handed(v, calls)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return t.made(call, v.Index, calls)
		}
	case *ssa.Call:
		return t.made(v, 0, calls)
	case *ssa.Phi:
		return t.merge(v.Edges, calls)
	case *ssa.ChangeInterface:
		return t.source(v.X, calls)
	case *ssa.MakeInterface:
		return t.own(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return t.loaded(v.X, calls)
		}
	case *ssa.Field:
		return t.field(v.X.Type(), v.Field)
	}
	return contextSource{}
}

// handed follows a parameter or captured variable to the call that hands it down.
func (t *tracer) handed(v ssa.Value, calls []ssa.CallInstruction) contextSource {
	if len(calls) > 0 {
		if given := handedDown(v, calls[len(calls)-1].Common()); given != nil {
			return t.source(given, calls[:len(calls)-1])
		}
	}
	if free, ok := v.(*ssa.FreeVar); ok {
		if bound := boundTo(free); bound != nil {
			return t.source(bound, nil)
		}
		return contextSource{}
	}
	return contextSource{origin: callerOrigin}
}

// boundTo returns what a literal has captured as free, where the literal is made; nil if it isn't made in one place.
func boundTo(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	i := slices.Index(fn.FreeVars, free)
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) {
				return mc.Bindings[i]
			}
		}
	}
	return nil
}

func (t *tracer) merge(list []ssa.Value, calls []ssa.CallInstruction) contextSource {
	var all contextSource
	for i, v := range list {
		s := t.source(v, calls)
		if s.origin == callerOrigin {
			return s
		}
		if s.origin == unknownOrigin {
			if !t.seen[v] { // else it is the same context, of the round before
				return contextSource{}
			}
			continue
		}
		if i == 0 || all.origin == unknownOrigin {
			all = s
		}
	}
	return all
}

// loaded follows a variable in memory to what is stored there.
func (t *tracer) loaded(addr ssa.Value, calls []ssa.CallInstruction) contextSource {
	for len(calls) > 0 {
		given := handedDown(addr, calls[len(calls)-1].Common())
		if given == nil {
			break
		}
		addr, calls = given, calls[:len(calls)-1]
	}
	for {
		free, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		if addr = boundTo(free); addr == nil {
			return contextSource{}
		}
	}
	switch addr := addr.(type) {
	case *ssa.Alloc:
		s := t.merge(storedIn(addr), calls)
		if last := reassigned(addr); last != nil && s.origin == callerOrigin && len(s.limits) == 0 {
			s.limits = t.source(last, calls).limits
		}
		return s
	case *ssa.FieldAddr:
		return t.field(addr.X.Type(), addr.Field)
	case *ssa.Global:
		return t.global(addr)
	}
	return contextSource{}
}

// reassigned returns what is assigned to a parameter that literals capture, if one assignment is made before all of them are: as in
// ctx, cancel := context.WithTimeout(ctx, limit).
func reassigned(addr *ssa.Alloc) ssa.Value {
	var last *ssa.Store
	for _, ref := range *addr.Referrers() {
		s, ok := ref.(*ssa.Store)
		if !ok || s.Addr != ssa.Value(addr) {
			continue
		}
		if _, isParameter := s.Val.(*ssa.Parameter); isParameter {
			continue
		}
		if last != nil {
			return nil
		}
		last = s
	}
	if last == nil {
		return nil
	}
	for _, ref := range *addr.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && !last.Block().Dominates(mc.Block()) {
			return nil
		}
	}
	return last.Val
}

// storedIn lists what is stored in a variable by its function.
func storedIn(addr *ssa.Alloc) []ssa.Value {
	var list []ssa.Value
	for _, ref := range *addr.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == ssa.Value(addr) {
			list = append(list, s.Val)
		}
	}
	return list
}

// field follows a field to what the package assigns to it. A field that a caller's context is assigned to isn't followed
// further: which caller's it is isn't known.
func (t *tracer) field(structure types.Type, index int) contextSource {
	st, owner := structOf(structure)
	if st == nil {
		return contextSource{}
	}
	u := t.pkg.fields[typename.Of(owner)+"."+st.Field(index).Name()]
	if u == nil || u.field.Pkg() != t.pkg.Types {
		return contextSource{}
	}
	var list []ssa.Value
	for _, fa := range u.uses {
		for _, ref := range *fa.Referrers() {
			if s, ok := ref.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				list = append(list, s.Val)
			}
		}
	}
	if s := t.merge(list, nil); s.origin == detachedOrigin {
		return s
	}
	return contextSource{}
}

func (t *tracer) global(g *ssa.Global) contextSource {
	var list []ssa.Value
	for _, instr := range t.pkg.global[g] {
		if s, ok := instr.(*ssa.Store); ok && s.Addr == ssa.Value(g) {
			list = append(list, s.Val)
		}
	}
	if s := t.merge(list, nil); s.origin == detachedOrigin {
		return s
	}
	return contextSource{}
}

// own looks at a context of a type of this package: one whose Done is always nil is detached.
func (t *tracer) own(v *ssa.MakeInterface) contextSource {
	done := t.pkg.SSA.Prog.LookupMethod(v.X.Type(), t.pkg.Types, "Done")
	if done == nil || len(done.Blocks) != 1 || done.Synthetic != "" {
		return contextSource{}
	}
	ret, ok := done.Blocks[0].Instrs[len(done.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return contextSource{}
	}
	if c, isConst := ret.Results[0].(*ssa.Const); isConst && c.Value == nil {
		return contextSource{origin: detachedOrigin}
	}
	return contextSource{}
}

// made follows a context that a call returns.
func (t *tracer) made(call *ssa.Call, index int, calls []ssa.CallInstruction) contextSource {
	common := &call.Call
	if common.IsInvoke() || common.StaticCallee() == nil {
		return contextSource{}
	}
	callee := resolve(common.StaticCallee())
	if obj, ok := callee.Object().(*types.Func); ok && len(callee.Blocks) == 0 {
		switch catalog.Does(obj.FullName()) {
		case "detach-context":
			return contextSource{origin: detachedOrigin, at: call}
		case "own-context":
			return contextSource{}
		case "limit-context":
			s := t.derived(call, calls)
			s.limits = append([]*ssa.Call{call}, s.limits...)
			return s
		}
		if obj.Name() == "Context" && obj.Signature().Recv() != nil {
			return t.carried(common.Args[0], calls)
		}
		return t.derived(call, calls)
	}
	s := t.returned(callee, index, append(slices.Clone(calls), call))
	if s.origin == detachedOrigin && linked(call) {
		return contextSource{limits: s.limits}
	}
	return s
}

// carried follows the request that a context is asked from.
func (t *tracer) carried(request ssa.Value, calls []ssa.CallInstruction) contextSource {
	for len(calls) > 0 {
		given := handedDown(request, calls[len(calls)-1].Common())
		if given == nil {
			break
		}
		request, calls = given, calls[:len(calls)-1]
	}
	param, ok := request.(*ssa.Parameter)
	if !ok {
		return contextSource{}
	}
	s := contextSource{origin: callerOrigin}
	if limit := t.pkg.handlerLimit(param.Parent()); limit != nil {
		s.limits = []*ssa.Call{limit}
	}
	return s
}

// derived follows the context that a call makes another one of. A new one that something else may end isn't detached, whatever
// it was made of.
func (t *tracer) derived(call *ssa.Call, calls []ssa.CallInstruction) contextSource {
	for _, a := range call.Call.Args {
		if !isContextType(a.Type()) {
			continue
		}
		s := t.source(a, calls)
		if s.origin == detachedOrigin && linked(call) {
			return contextSource{limits: s.limits}
		}
		return s
	}
	return contextSource{}
}

// returned follows what a function of this package returns.
func (t *tracer) returned(fn *ssa.Function, index int, calls []ssa.CallInstruction) contextSource {
	if len(calls) > maxCalls || len(fn.Blocks) == 0 {
		return contextSource{}
	}
	var all contextSource
	found := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || index >= len(ret.Results) {
			continue
		}
		s := t.source(ret.Results[index], calls)
		if found && s.origin != all.origin {
			return contextSource{}
		}
		all, found = s, true
	}
	return all
}

// linked reports whether something may end the context that call makes before its time: its cancel function is handed on, to
// context.AfterFunc or a goroutine that waits for another context. What is returned is looked at where the function is called.
func linked(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || x.Index != 1 {
			continue
		}
		for _, use := range *x.Referrers() {
			if _, isReturn := use.(*ssa.Return); isReturn || onlyDeferred(use) {
				continue
			}
			if common := commonOf(use); common == nil || common.Value != ssa.Value(x) {
				return true
			}
		}
	}
	return false
}

func commonOf(instr ssa.Instruction) *ssa.CallCommon {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	return call.Common()
}

// onlyDeferred reports whether a use of a cancel function is a literal that is deferred.
func onlyDeferred(use ssa.Instruction) bool {
	mc, ok := use.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	for _, ref := range *mc.Referrers() {
		if _, isDefer := ref.(*ssa.Defer); !isDefer {
			return false
		}
	}
	return true
}

func isContextType(t types.Type) bool { return typename.Of(t) == "context.Context" }

// givesContext reports whether a value of type t is asked for its context: a request, a stream.
func givesContext(t types.Type) bool {
	methods := types.NewMethodSet(t)
	sel := methods.Lookup(nil, "Context")
	if sel == nil {
		return false
	}
	sig, ok := sel.Type().(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && isContextType(sig.Results().At(0).Type())
}

// comesWithCaller reports whether a value of type t brings the context of who sent it: a request, which can be given another
// one, or a stream of messages. Other values that are asked for a context, such as a test or a command, may have any.
func comesWithCaller(t types.Type) bool {
	if !givesContext(t) {
		return false
	}
	methods := types.NewMethodSet(t)
	for _, name := range []string{"WithContext", "RecvMsg", "SendMsg"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// ScopeOf returns the context in scope of a repetition, nil if there is none.
func (p *Package) ScopeOf(r *Repetition) *Scope {
	if s := p.scopeOf(r.Function, 0); s != nil {
		return s
	}
	if s := p.scopeIn(r); s != nil {
		return s
	}
	return p.receiverScope(r)
}

// scopeOf looks at the parameters of fn and of the functions around, as long as fn is part of what they do: a goroutine is
// work of its own, unless it uses the context.
func (p *Package) scopeOf(fn *ssa.Function, depth int) *Scope {
	for _, param := range fn.Params {
		if isContextType(param.Type()) {
			return &Scope{Name: contextName(param), Var: param.Object()}
		}
	}
	for _, param := range fn.Params {
		if param.Object() != nil && comesWithCaller(param.Type()) {
			return &Scope{Name: param.Name() + ".Context()", Var: param.Object()}
		}
	}
	if fn.Parent() == nil || depth > 5 {
		return nil
	}
	outer := p.scopeOf(fn.Parent(), depth+1)
	if outer == nil || goesAlone(fn) && !captures(fn, outer) {
		return nil
	}
	return outer
}

// goesAlone reports whether a literal is started as a goroutine.
func goesAlone(literal *ssa.Function) bool {
	for _, b := range literal.Parent().Blocks {
		for _, instr := range b.Instrs {
			g, ok := instr.(*ssa.Go)
			if !ok {
				continue
			}
			if mc, isClosure := g.Call.Value.(*ssa.MakeClosure); isClosure && mc.Fn == ssa.Value(literal) || g.Call.Value == ssa.Value(literal) {
				return true
			}
		}
	}
	return false
}

func captures(literal *ssa.Function, s *Scope) bool {
	for _, free := range literal.FreeVars {
		if s.Var != nil && free.Name() == s.Var.Name() {
			return true
		}
	}
	return false
}

// receiverScope is a context among the fields of the receiver that the repeated code works with.
func (p *Package) receiverScope(r *Repetition) *Scope {
	s := receiverField(r.Function)
	if s == nil || p.neverDone(s) {
		return nil
	}
	for _, v := range p.contextsOf(r) {
		if load, ok := v.(*ssa.UnOp); ok {
			if fa, isField := load.X.(*ssa.FieldAddr); isField && isContextType(v.Type()) && isOf(fa.X, s) {
				return s
			}
		}
	}
	if p.documents(s.field) {
		return s
	}
	return nil
}

// neverDone reports whether the field of a receiver is only ever given contexts that nothing ends, such as context.TODO().
func (p *Package) neverDone(s *Scope) bool {
	st, _ := structOf(s.Var.Type())
	if st == nil {
		return false
	}
	t := &tracer{pkg: p, seen: map[ssa.Value]bool{}}
	for i := range st.NumFields() {
		if st.Field(i) == s.field {
			return t.field(s.Var.Type(), i).origin == detachedOrigin
		}
	}
	return false
}

// documents reports whether the package says what a field is for: beside the field, or where the type is described.
func (p *Package) documents(field *types.Var) bool {
	found := false
	for _, file := range p.files {
		if field.Pos() < file.FileStart || file.FileEnd <= field.Pos() {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				found = found || n.Pos() <= field.Pos() && field.Pos() < n.End() && speaksOf(n.Doc, field.Name())
			case *ast.Field:
				found = found || len(n.Names) > 0 && n.Names[0].Pos() == field.Pos() && (n.Doc != nil || n.Comment != nil)
			}
			return !found
		})
	}
	return found
}

func speaksOf(doc *ast.CommentGroup, name string) bool {
	return doc != nil && slices.Contains(strings.FieldsFunc(doc.Text(), func(r rune) bool { return !unicode.IsLetter(r) }), name)
}

// isOf reports whether a struct is the receiver that the context of s is a field of.
func isOf(v ssa.Value, s *Scope) bool {
	for {
		switch x := v.(type) {
		case *ssa.Parameter:
			return x.Object() == s.Var
		case *ssa.FreeVar:
			v = boundTo(x)
		case *ssa.UnOp:
			v = x.X
		case *ssa.Alloc:
			return x.Comment == s.Var.Name()
		default:
			return false
		}
		if v == nil {
			return false
		}
	}
}

// receiverField looks for a context among the fields of the receiver: it lives as long as that.
func receiverField(fn *ssa.Function) *Scope {
	for fn.Parent() != nil {
		if goesAlone(fn) {
			return nil
		}
		fn = fn.Parent()
	}
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || fn.Params[0].Object() == nil {
		return nil
	}
	st, _ := structOf(fn.Params[0].Type())
	if st == nil {
		return nil
	}
	for i := range st.NumFields() {
		if f := st.Field(i); isContextType(f.Type()) && !f.Embedded() {
			return &Scope{Name: fn.Params[0].Name() + "." + f.Name(), Var: fn.Params[0].Object(), Field: true, field: f}
		}
	}
	return nil
}

// scopeIn looks for a context that the repeated code itself works with, or waits for, and that can be done: it has a deadline,
// is waited for, or is what a helper is given.
func (p *Package) scopeIn(r *Repetition) *Scope {
	for _, v := range p.contextsOf(r) {
		s := p.sourceOf(v, nil)
		ends := len(s.limits) > 0 || r.waitsFor(v) || r.Site == nil && s.origin != detachedOrigin
		if name := variableName(v); name != "" && ends && !r.makes(v) {
			return &Scope{Name: name, made: s.at}
		}
	}
	return nil
}

// contextsOf lists the contexts that the code of r gives to calls, or asks whether they are done.
func (p *Package) contextsOf(r *Repetition) []ssa.Value {
	var list []ssa.Value
	note := func(instr ssa.Instruction) {
		common := commonOf(instr)
		if common == nil {
			return
		}
		if common.IsInvoke() && isContextType(common.Value.Type()) {
			list = append(list, common.Value)
		}
		for _, a := range common.Args {
			if isContextType(a.Type()) {
				list = append(list, a)
			}
		}
	}
	if r.Site == nil {
		note(r.Call)
		for _, a := range r.Call.Common().Args {
			if call, ok := a.(*ssa.Call); ok && call.Call.IsInvoke() {
				note(call)
			}
		}
		for step := range r.Attempt() {
			if len(step.Calls) == 0 {
				note(step.Instr)
			}
		}
		return list
	}
	for _, b := range r.Function.Blocks {
		for _, instr := range b.Instrs {
			if r.Site.Executes(instr) {
				note(instr)
			}
		}
	}
	return list
}

// waitsFor reports whether the repetition waits for the end of the context v, or is given it.
func (r *Repetition) waitsFor(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		call, ok := ref.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() || call.Call.Value != v {
			continue
		}
		if name := call.Call.Method.Name(); name == "Done" || name == "Err" {
			return true
		}
	}
	return false
}

// makes reports whether the context v is made anew by each attempt.
func (r *Repetition) makes(v ssa.Value) bool {
	instr, ok := v.(ssa.Instruction)
	return ok && r.Repeats(instr)
}

// variableName is what the source calls a value: the name of the variable that it is assigned to, "" if there is none.
func variableName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.Alloc:
			return x.Comment
		case *ssa.FreeVar:
			return x.Name()
		}
	case *ssa.Phi:
		return v.Comment
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return assignedTo(call, v.Index)
		}
	case *ssa.Call:
		return assignedTo(v, 0)
	}
	return ""
}

// assignedTo returns the name of the variable that a result of call is assigned to.
func assignedTo(call *ssa.Call, index int) string {
	syntax := call.Parent().Syntax()
	if syntax == nil {
		return ""
	}
	name := ""
	ast.Inspect(syntax, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || index >= len(assign.Lhs) {
			return true
		}
		made, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if !ok || made.Lparen != call.Pos() {
			return true
		}
		if id, isName := assign.Lhs[index].(*ast.Ident); isName && id.Name != "_" {
			name = id.Name
		}
		return false
	})
	return name
}

// contextName is what a message calls a parameter that is a context.
func contextName(param *ssa.Parameter) string {
	if obj := param.Object(); obj != nil && obj.Name() != "_" && obj.Name() != "" {
		return obj.Name()
	}
	return "the context"
}
