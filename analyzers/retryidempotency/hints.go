package retryidempotency

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
)

// A hint says what to look for in a function: most have no effect that matters, and need not be followed.
type hint uint8

const (
	mayMake  hint = 1 << iota // a value that is another one each time
	mayWrite                  // something
)

// hints tells of functions what they, or those of the package that they call, may do.
func (f *foreign) hints(functions []*ssa.Function) map[*ssa.Function]hint {
	found := map[*ssa.Function]hint{}
	callers := map[*ssa.Function][]*ssa.Function{}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				found[fn] |= f.hint(call.Common())
				if callee := call.Common().StaticCallee(); callee != nil {
					if callee.Origin() != nil {
						callee = callee.Origin()
					}
					callers[callee] = append(callers[callee], fn)
				}
			}
		}
	}
	for todo := slices.Clone(functions); len(todo) > 0; todo = todo[1:] {
		for _, caller := range callers[todo[0]] {
			if more := found[todo[0]] &^ found[caller]; more != 0 {
				found[caller] |= more
				todo = append(todo, caller)
			}
		}
	}
	return found
}

// hint tells what a call may do by itself.
func (f *foreign) hint(call *ssa.CallCommon) hint {
	known := catalog.OfEffects()
	var h hint
	if e := f.of(call); e != nil {
		if e.Key != "" || len(e.Fresh) > 0 {
			h |= mayMake
		}
		if e.Does != "" || e.Sends != [2]int{} || e.Executes > 0 {
			h |= mayWrite
		}
	}
	full := callgraph.CalleeName(call)
	if full == "" {
		return h
	}
	pkgPath, typ, name := calleeParts(call)
	if f.isFresh(full) || makesIdentity(call) || slices.ContainsFunc(known.Fills, func(row catalog.Handed) bool { return row.Name == full }) {
		h |= mayMake
	}
	switch {
	case len(known.WritesOf(pkgPath, typ, name)) > 0,
		typ != "" && known.Token(pkgPath, strings.TrimSuffix(name, "WithContext")) != "",
		typ != "" && slices.Contains(known.SQL.Methods, name),
		catalog.Find(known.HTTP.Posts, full) != nil, catalog.Find(known.HTTP.Sends, full) != nil,
		isServiceMethod(call), isInvoke(full):
		h |= mayWrite
	}
	return h
}

// isFresh remembers what the catalogue says of a function, which is asked for each call.
func (f *foreign) isFresh(name string) bool {
	answer, known := f.fresh[name]
	if !known {
		answer = catalog.OfEffects().IsFresh(name)
		f.fresh[name] = answer
	}
	return answer
}

// isInvoke reports whether a function calls a method of a service by its name.
func isInvoke(name string) bool {
	for _, row := range catalog.OfEffects().RPC.Invokes {
		if row.Name == name {
			return true
		}
	}
	return false
}
