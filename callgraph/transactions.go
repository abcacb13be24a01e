package callgraph

import (
	"go/token"
	"go/types"
	"iter"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Transaction is a call that runs functions of this package within a transaction, and again if that conflicts: a library's,
// or that of a helper whose loop does so.
type Transaction struct {
	*Repetition
	// Label is what reports call the callee.
	Label string
}

// transactions lists the calls of this package that run a transaction again.
func (p *Package) transactions(list []Repetition) []Transaction {
	var found []Transaction
	seen := map[ssa.CallInstruction]bool{}
	add := func(r *Repetition) {
		if !seen[r.Call] && len(r.Operations) > 0 {
			seen[r.Call] = true
			found = append(found, Transaction{r, calleeLabel(r.Call.Common())})
		}
	}
	for i := range list {
		r := &list[i]
		repeats := r.Role == sites.Retry || r.Role == sites.CAS
		if r.Call != nil && repeats && !r.Count.One() && !r.Hop.Foreign && slices.ContainsFunc(r.Operations, takesHandle) {
			add(r)
		}
	}
	p.loopsAround(add)
	runners := p.runners()
	for _, fn := range p.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if i, ok := runners[resolve(call.Common().StaticCallee())]; ok && i < len(call.Common().Args) {
					add(&Repetition{Function: fn, Call: call, Operations: p.functionsIn(p.Term(call.Common().Args[i]), nil), pkg: p})
				}
				if given, again := TransactionOf(call.Common()); again {
					add(&Repetition{Function: fn, Call: call, Operations: p.functionsIn(p.Term(given), nil), pkg: p})
				}
			}
		}
	}
	return found
}

// loopsAround finds transactions in loops of the function itself: what runs a literal once runs it again there.
func (p *Package) loopsAround(add func(*Repetition)) {
	for _, fn := range p.functions {
		for _, s := range p.Sites(fn) {
			if s.Role != sites.CAS && s.Role != sites.Retry {
				continue
			}
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(ssa.CallInstruction)
					if !ok || !s.Holds(call) {
						continue
					}
					if given := runOnce(call.Common()); given != nil {
						add(&Repetition{Site: s, Function: fn, Call: call, Operations: p.functionsIn(p.Term(given), nil), pkg: p})
					}
				}
			}
		}
	}
}

// runners lists the functions of this package that run one of their parameters again when a transaction conflicts, with the index
// of that parameter. Conflict loops are no part of paths, since they don't multiply.
func (p *Package) runners() map[*ssa.Function]int {
	found := map[*ssa.Function]int{}
	for _, fn := range p.functions {
		for _, s := range p.Sites(fn) {
			if s.Role != sites.CAS && s.Role != sites.Retry {
				continue
			}
			for i, param := range fn.Params {
				if sig, ok := param.Type().Underlying().(*types.Signature); ok && handed(sig) && runs(s, param) {
					found[fn] = i
				}
			}
		}
	}
	return found
}

// handed reports whether functions of a type are given a handle.
func handed(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if IsHandle(v.Type()) {
			return true
		}
	}
	return false
}

// runs reports whether an attempt of a site calls a parameter, or gives it to what runs it once.
func runs(s *sites.Site, param *ssa.Parameter) bool {
	for _, ref := range *param.Referrers() {
		call, ok := ref.(ssa.CallInstruction)
		if ok && s.Executes(call) && (call.Common().Value == param || runOnce(call.Common()) == param) {
			return true
		}
	}
	return false
}

func takesHandle(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool { return IsHandle(param.Type()) })
}

var handleName = regexp.MustCompile(`^(\w*(Tx|Txn|TX|Transaction)|tx|txn)$`)

// IsHandle reports whether a type is that of a transaction's handle: one of the catalogue, or one that is called so.
func IsHandle(t types.Type) bool {
	name := typename.Of(t)
	_, bare := splitName(name)
	return name != "" && (catalog.OfEffects().IsHandle(name) || handleName.MatchString(bare) && changesData(t))
}

// changesData reports whether a type has methods as handles do: a transaction of a ledger has others.
func changesData(t types.Type) bool {
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !isInterface(t) {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for _, name := range []string{"Commit", "Rollback", "Exec", "ExecContext", "Query", "Put", "Set", "Get", "Save", "Create", "Insert", "Delete"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// Run yields what a run of one of the operations executes in this package, like AttemptThroughValues, and what the literals do
// that are made there, since they are made to be called.
func (t Transaction) Run(operation *ssa.Function) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		v := &visitor{yield: yield, called: t.pkg.called}
		v.withLiterals(operation)
	}
}

func (v *visitor) withLiterals(fn *ssa.Function) bool {
	if !v.function(fn, nil) {
		return false
	}
	for _, literal := range fn.AnonFuncs {
		if !v.withLiterals(literal) {
			return false
		}
	}
	return true
}

// Token returns the position of the most specific token of a call.
func (r *Repetition) Token(call ssa.CallInstruction) token.Pos {
	return r.pkg.token(call)
}
