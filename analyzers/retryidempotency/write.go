package retryidempotency

import (
	"fmt"
	"go/constant"
	"go/types"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A write is a call that does something again each time it is executed, as far as its own words tell.
type write struct {
	call *ssa.Call
	// by names the function of another package that makes it, "" if the call does.
	by string
	// sends and executes are set in the effects of functions whose callers say what is written; see Effect.
	sends    [2]int
	executes int
	// address is where a request goes to, and at the step that says so.
	address ssa.Value
	at      callgraph.Step
	// does ends a sentence that the call begins: adds to a counter.
	does string
	// guards are names that make it safe, beside keys in general; keyed that a key is among its own arguments, and key which one is,
	// if that is known.
	guards []string
	keyed  bool
	key    *int
	// method is the full name of a method that is called by name.
	method string
	// transactional is set for what is undone unless the transaction commits.
	transactional bool
}

// write says what a call does, nil if it does nothing that is known to be harmful.
func (a *attempt) write(call *ssa.Call, step callgraph.Step) *write {
	for _, look := range []func(*ssa.Call, callgraph.Step) *write{a.listed, a.tokened, a.executed, a.posted, a.invoked, a.elsewhere} {
		if w := look(call, step); w != nil {
			w.call = call
			if a.foreign.of(call.Common()) != nil {
				w.by = callgraph.CalleeLabel(call.Common())
			}
			return w
		}
	}
	return nil
}

// listed finds a call among the families of the catalogue.
func (a *attempt) listed(call *ssa.Call, step callgraph.Step) *write {
	pkgPath, typ, name := calleeParts(call.Common())
	for _, row := range catalog.OfEffects().WritesOf(pkgPath, typ, name) {
		if a.applies(row, call, step) {
			return &write{does: row.Does, guards: row.Guards, keyed: row.Keyed, key: row.Key}
		}
	}
	return nil
}

// applies reports whether what limits a family holds for a call.
func (a *attempt) applies(row *catalog.Write, call *ssa.Call, step callgraph.Step) bool {
	if len(row.Command) > 0 {
		return slices.ContainsFunc(arguments(call.Common()), func(v ssa.Value) bool {
			text, ok := constantText(v)
			return ok && slices.Contains(row.Command, strings.ToUpper(text))
		})
	}
	if len(row.When) > 0 {
		return a.mentions(func(name string) bool { return slices.Contains(row.When, name) })
	}
	if len(row.Text) > 0 {
		return a.says(func(text string) bool {
			return slices.ContainsFunc(row.Text, func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) })
		})
	}
	return true
}

// tokened finds an operation whose token an SDK fills anew for each call.
func (a *attempt) tokened(call *ssa.Call, _ callgraph.Step) *write {
	pkgPath, typ, name := calleeParts(call.Common())
	if typ == "" {
		return nil
	}
	field := catalog.OfEffects().Token(pkgPath, strings.TrimSuffix(name, "WithContext"))
	if field == "" {
		return nil
	}
	return &write{does: fmt.Sprintf("gets a new %s from the SDK with each call", field), guards: []string{field}}
}

// executed finds a statement that does something again.
func (a *attempt) executed(call *ssa.Call, step callgraph.Step) *write {
	s, _ := a.statement(call, step)
	if s == nil {
		return nil
	}
	transactional := callgraph.IsHandle(arguments(call.Common())[0].Type())
	switch {
	case s.kind == inserts && !s.resolved && len(s.identity()) == 0:
		return &write{does: "inserts a row", transactional: transactional}
	case s.kind == inserts && !s.resolved && len(s.conflict) > 0: // ON CONFLICT ... SET n = t.n + 1
		return &write{does: "changes a row relative to its old value", transactional: transactional}
	case s.kind == increments && !s.keyed:
		return &write{does: "changes a row relative to its old value", transactional: transactional}
	}
	return nil
}

// posted finds an HTTP request of a method that isn't idempotent.
func (a *attempt) posted(call *ssa.Call, step callgraph.Step) *write {
	known, name := &catalog.OfEffects().HTTP, callgraph.CalleeName(call.Common())
	args := arguments(call.Common())
	if row := catalog.Find(known.Posts, name); row != nil && *row.URL < len(args) {
		return a.request("POST", args[*row.URL], step)
	}
	row := catalog.Find(known.Sends, name)
	if row == nil || *row.Request >= len(args) {
		return nil
	}
	made, at := a.requestOf(args[*row.Request], step, 0)
	if made == nil {
		return nil
	}
	maker := catalog.Find(known.Requests, callgraph.CalleeName(made.Common()))
	if body, isConst := arguments(made.Common())[*maker.Body].(*ssa.Const); isConst && body.Value == nil {
		return nil // it brings nothing with it: a command, which says what is to be
	}
	method, ok := a.text(arguments(made.Common())[*maker.Method], at)
	if !ok || !slices.Contains(known.Methods, strings.ToUpper(method)) {
		return nil
	}
	return a.request(strings.ToUpper(method), arguments(made.Common())[*maker.URL], at)
}

// request describes a request, unless its path, what the path is called, or the functions around say that it only asks.
func (a *attempt) request(method string, address ssa.Value, step callgraph.Step) *write {
	if address != nil && a.asksAt(address, step) || a.asksOnly(step) {
		return nil
	}
	return &write{does: sendsA + method, address: address, at: step}
}

// asksAt reports whether an address is one for questions.
func (a *attempt) asksAt(address ssa.Value, step callgraph.Step) bool {
	known := catalog.OfEffects()
	return slices.ContainsFunc(a.pathWords(address, step), known.IsQuestion) || slices.ContainsFunc(wordsOf(a.Name(address)), known.IsSubject)
}

// asksOnly reports whether the functions around a request are called like questions: Find, updateToken.
func (a *attempt) asksOnly(step callgraph.Step) bool {
	around := []*ssa.Function{a.Function}
	for _, call := range step.Calls {
		around = append(around, a.Called(call)...)
	}
	return slices.ContainsFunc(around, asks)
}

func asks(fn *ssa.Function) bool {
	known := catalog.OfEffects()
	for ; fn != nil; fn = fn.Parent() {
		words := wordsOf(fn.Name())
		if len(words) > 0 && known.IsQuestion(words[0]) || slices.ContainsFunc(words, known.IsSubject) {
			return true
		}
	}
	return false
}

// requestOf finds the call that made a request.
func (a *attempt) requestOf(v ssa.Value, step callgraph.Step, depth int) (*ssa.Call, callgraph.Step) {
	given, left := step.Given(v)
	step.Calls = step.Calls[:left]
	if depth > 8 {
		return nil, step
	}
	switch v := given.(type) {
	case *ssa.Extract:
		return a.requestOf(v.Tuple, step, depth+1)
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok {
			return a.requestIn(cell, step, depth)
		}
		if free, ok := v.X.(*ssa.FreeVar); ok {
			if cell, isCell := captured(free).(*ssa.Alloc); isCell {
				return a.requestIn(cell, callgraph.Step{}, depth)
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if made, at := a.requestOf(e, step, depth+1); made != nil {
				return made, at
			}
		}
	case *ssa.Call:
		return a.requestBy(v, step, depth)
	}
	return nil, step
}

func (a *attempt) requestIn(cell *ssa.Alloc, step callgraph.Step, depth int) (*ssa.Call, callgraph.Step) {
	for _, s := range storesTo(cell, 0) {
		if made, at := a.requestOf(s.Val, within(s, cell, step), depth+1); made != nil {
			return made, at
		}
	}
	return nil, step
}

func (a *attempt) requestBy(call *ssa.Call, step callgraph.Step, depth int) (*ssa.Call, callgraph.Step) {
	if row := catalog.Find(catalog.OfEffects().HTTP.Requests, callgraph.CalleeName(call.Common())); row != nil {
		switch {
		case row.Method != nil:
			return call, step
		case row.Request != nil:
			return a.requestOf(arguments(call.Common())[*row.Request], step, depth+1)
		}
		return nil, step
	}
	for _, fn := range a.Called(call) {
		inner := callgraph.Step{Calls: append(slices.Clone(step.Calls), call)}
		for _, b := range fn.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || len(ret.Results) == 0 {
				continue
			}
			if made, at := a.requestOf(ret.Results[0], inner, depth+1); made != nil {
				return made, at
			}
		}
	}
	return nil, step
}

// pathWords lists the words of a URL's path, as far as they are constant.
func (a *attempt) pathWords(v ssa.Value, step callgraph.Step) []string {
	text, _ := a.query(v, step)
	if u, err := url.Parse(strings.ReplaceAll(text, "%", "x")); err == nil && u.Host != "" {
		text = u.Path
	}
	return wordsOf(strings.ReplaceAll(text, "/", " "))
}

// invoked finds the call of a service's method that changes something again, by its name.
func (a *attempt) invoked(call *ssa.Call, step callgraph.Step) *write {
	known := &catalog.OfEffects().RPC
	common := call.Common()
	name, args := callgraph.CalleeName(common), common.Args
	for _, row := range known.Invokes {
		if row.Name != name {
			continue
		}
		if !common.IsInvoke() {
			args = args[1:]
		}
		if row.Method < len(args) {
			method, _ := a.text(args[row.Method], step)
			w := mutation(method[strings.LastIndexByte(method, '/')+1:])
			if w != nil {
				w.method = method
			}
			return w
		}
	}
	if isServiceMethod(common) {
		if a.foreign.repeatable(calledObject(common)) || a.namesItself(common) {
			return nil
		}
		_, _, method := calleeParts(common)
		return mutation(method)
	}
	return nil
}

func mutation(method string) *write {
	if !catalog.OfEffects().IsMutation(firstWord(method)) {
		return nil
	}
	return &write{does: "executes " + method, guards: []string{"request_id", "RequestId", "RequestID"}}
}

// isServiceMethod reports whether a method is one of a generated client: its last parameter are call options.
func isServiceMethod(common *ssa.CallCommon) bool {
	sig := common.Signature()
	if !sig.Variadic() || sig.Params().Len() != 3 || !common.IsInvoke() && sig.Recv() == nil {
		return false
	}
	options, ok := sig.Params().At(2).Type().(*types.Slice)
	return ok && slices.Contains(catalog.OfEffects().RPC.Options, typename.Of(options.Elem()))
}

// namesItself reports whether a request says what the new thing is called, so that a second one is refused.
func (a *attempt) namesItself(common *ssa.CallCommon) bool {
	args := common.Args
	if !common.IsInvoke() {
		args = args[1:]
	}
	if len(args) < 2 {
		return false
	}
	_, _, method := calleeParts(common)
	made := strings.Join(wordsOf(method)[min(1, len(wordsOf(method))):], "")
	for _, ref := range referrers(args[1]) {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		name := catalog.Plain(fieldName(fa.X.Type(), fa.Field))
		if name == "id" || name == "name" || name == "uuid" || name == made+"id" || name == made+"name" {
			return true
		}
	}
	return false
}

func referrers(v ssa.Value) []ssa.Instruction {
	if v.Referrers() == nil {
		return nil
	}
	return *v.Referrers()
}

// protected reports whether a key, a precondition or a check for duplicates is in sight of a write.
func (w *write) protected(a *attempt) bool {
	known := &catalog.OfEffects().Keys
	if k := keyArgument(w.call.Common(), w.key); k != nil {
		return k.isGiven()
	}
	if w.keyed {
		for _, k := range keyParameters(w.call.Common()) {
			if k.isGiven() {
				return true
			}
		}
	}
	return a.mentions(func(name string) bool { return known.Protects(name) || slices.Contains(w.guards, name) })
}

// isGiven reports whether a key is anything but empty.
func (k *key) isGiven() bool {
	c, ok := k.value.(*ssa.Const)
	return !ok || c.Value != nil && !isEmpty(c)
}

// mentions reports whether the code of an attempt or the function around it names something: as a field, a map key, a function,
// a parameter or a constant.
func (a *attempt) mentions(matches func(string) bool) bool {
	for _, fn := range a.inSight() {
		for _, param := range fn.Params {
			if matches(param.Name()) {
				return true
			}
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if slices.ContainsFunc(namesIn(instr), matches) {
					return true
				}
			}
		}
	}
	return false
}

// says reports whether a constant string of that code satisfies a condition.
func (a *attempt) says(matches func(string) bool) bool {
	for _, fn := range a.inSight() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(nil) {
					if c, ok := (*op).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String && matches(constant.StringVal(c.Value)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// maxSight is how many functions are looked at.
const maxSight = 60

// inSight lists the function of a site, the literals and functions around it, and what they call in this package.
func (a *attempt) inSight() []*ssa.Function {
	list := slices.Clone(a.functions)
	add := func(fn *ssa.Function) {
		if fn != nil && fn.Blocks != nil && len(list) < maxSight && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	}
	for fn := a.Function; fn != nil; fn = fn.Parent() {
		add(fn)
	}
	for i := 0; i < len(list); i++ {
		for _, literal := range list[i].AnonFuncs {
			add(literal)
		}
		for _, b := range list[i].Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					for _, fn := range a.Called(call) {
						add(fn)
					}
				}
			}
		}
	}
	return list
}

// namesIn lists the names that an instruction uses.
func namesIn(instr ssa.Instruction) []string {
	var list []string
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		list = append(list, fieldName(instr.X.Type(), instr.Field), taggedName(instr))
	case *ssa.Field:
		list = append(list, fieldName(instr.X.Type(), instr.Field))
	case *ssa.MapUpdate:
		if text, ok := constantText(instr.Key); ok {
			list = append(list, text)
		}
	case *ssa.MakeInterface:
		list = append(list, append(fieldsOf(instr.X.Type()), bareName(instr.X.Type()))...)
	case ssa.CallInstruction:
		_, _, name := calleeParts(instr.Common())
		list = append(list, strings.TrimPrefix(strings.TrimPrefix(name, "Set"), "With"), name)
		for _, arg := range instr.Common().Args {
			if text, ok := constantText(arg); ok {
				list = append(list, text)
			}
		}
	}
	return list
}

// fieldsOf lists the fields of a struct that becomes a message as a whole.
func fieldsOf(t types.Type) []string {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var list []string
	for f := range st.Fields() {
		list = append(list, f.Name())
	}
	return list
}
