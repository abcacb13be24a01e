package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// fieldIndex lists where each field of a struct is used, by type and name.
type fieldIndex map[string]*fieldUse

type fieldUse struct {
	field *types.Var
	uses  []*ssa.FieldAddr
}

func (x fieldIndex) note(instr ssa.Instruction) {
	fa, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	st, owner := structOf(fa.X.Type())
	if st == nil || typename.Of(owner) == "" {
		return
	}
	key := typename.Of(owner) + "." + st.Field(fa.Field).Name()
	u := x[key]
	if u == nil {
		u = &fieldUse{field: st.Field(fa.Field).Origin()}
		x[key] = u
	}
	u.uses = append(u.uses, fa)
}

// fieldOf describes what the field called name of typ holds wherever it is set in this package, or what another package
// says of it, closed: it holds outside of any function.
func (p *Package) fieldOf(typ, name string) value.Term {
	key := typ + "." + name
	if t, ok := p.closed.known(key); ok {
		return t
	}
	if p.closed.isOpen(key) || p.inquiry.tooDeep() {
		return value.Term{}
	}
	return p.closed.answer(key, func() value.Term { return p.fieldValue(key) })
}

func (p *Package) fieldValue(key string) value.Term {
	u := p.fields[key]
	if u == nil || u.field.Pkg() != p.Types {
		return p.importedField(key, u)
	}
	var alts []value.Term
	changed, ifUnset := value.Term{}, value.Term{}
	for _, fa := range u.uses {
		for _, ref := range *fa.Referrers() {
			s, ok := ref.(*ssa.Store)
			if !ok || s.Addr != fa {
				continue
			}
			t := p.close(p.option(p.Term(s.Val)))
			if p.unsetOnly(fa, s) {
				ifUnset = t
			} else {
				alts = append(alts, t)
			}
		}
		if len(alts) == 0 && touches(fa) {
			if c := p.overlay(fa, value.Term{}, *fa.Referrers()); c.Known() {
				changed = p.close(c)
			}
		}
	}
	t := known(alts)
	if len(alts) > 0 {
		for _, fa := range u.uses {
			if touches(fa) {
				t = p.close(p.overlay(fa, t, *fa.Referrers()))
			}
		}
		return u.open(t)
	}
	if ifUnset.Kind == value.Int {
		return value.Term{Kind: value.Symbol, Name: u.field.Name(), Args: []value.Term{ifUnset}}
	}
	if changed.Known() {
		return changed
	}
	return p.fieldDefault(u)
}

// unsetOnly reports whether a store fills in a default: it happens if the field has a certain value.
func (p *Package) unsetOnly(fa *ssa.FieldAddr, s *ssa.Store) bool {
	probe := value.Named("·before")
	return p.unless(fa.X, fa.Field, probe, s).Any(func(t value.Term) bool { return t.Kind == value.Unknown && t.Name == "·before" })
}

// open makes a number in an exported field, which others may set too, a symbol with that default.
func (u *fieldUse) open(t value.Term) value.Term {
	if t.Kind == value.Int && u.field.Exported() {
		return value.Term{Kind: value.Symbol, Name: u.field.Name(), Args: []value.Term{t}}
	}
	return t
}

// known merges what different places assign. Places that assign nothing but zero, or something unknown beside one known
// value, don't hide that value when it is a client or a policy; numbers must agree.
func known(alts []value.Term) value.Term {
	var real []value.Term
	for _, a := range alts {
		if a.Kind != value.Nil && a.Kind != value.Zero && a.Known() {
			real = append(real, a)
		}
	}
	if len(real) == 0 {
		return value.OneOf(alts...)
	}
	t := value.OneOf(real...)
	if t.Kind == value.Int && len(real) < len(alts) {
		return value.OneOf(alts...)
	}
	return t
}

// fieldDefault is the value of a field that nothing in the package sets: a symbol with the default that its tag or a table of
// options gives.
func (p *Package) fieldDefault(u *fieldUse) value.Term {
	for _, fa := range u.uses {
		if def, ok := p.filled(fa, *fa.Referrers()); ok && def.Kind == value.Symbol {
			def.Name = u.field.Name()
			return def
		}
	}
	if n, ok := p.tagDefault(u); ok {
		return value.Term{Kind: value.Symbol, Name: u.field.Name(), Args: []value.Term{value.Number(n)}}
	}
	return value.Term{}
}

// importedField asks the package that declares a struct what its field holds.
func (p *Package) importedField(key string, u *fieldUse) value.Term {
	field := p.fieldNamed(key)
	if u != nil {
		field = u.field
	}
	if field == nil {
		return value.Term{}
	}
	t, _ := p.imports.Field(field)
	return t
}

// fieldNamed finds a field by type and name among the packages that this one imports, directly or not.
func (p *Package) fieldNamed(key string) *types.Var {
	i := strings.LastIndexByte(key, '.')
	t := p.typeNamed(key[:i])
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if f.Name() == key[i+1:] {
			return f
		}
	}
	return nil
}

// close describes t for a reader outside of its function: fields of unknown structs hold what the package sees them set to.
func (p *Package) close(t value.Term) value.Term { return p.closeDeep(t, 0).Bounded() }

func (p *Package) closeDeep(t value.Term, depth int) value.Term {
	if depth > 40 {
		return value.Named(t.Text())
	}
	switch t.Kind {
	case value.Param, value.Free:
		return value.Term{Kind: value.Unknown, Name: t.Name, Names: t.Names}
	case value.Field:
		return p.closeField(t, depth)
	}
	return p.frame(nil, nil).Map(t, func(part value.Term) value.Term { return p.closeDeep(part, depth+1) })
}

func (p *Package) closeField(t value.Term, depth int) value.Term {
	base := p.closeDeep(t.Args[0], depth+1)
	r := value.Select(base, t.Name)
	if r.Kind != value.Field {
		return r
	}
	if len(t.Names) > 0 {
		if v := p.fieldOf(t.Names[0], t.Name); v.Known() {
			return named(v, r.Text())
		}
	}
	r.Names = t.Names
	return r
}

// named gives a value that is known in part only the name of the field that holds it.
func named(t value.Term, name string) value.Term {
	if t.Kind == value.Symbol {
		t.Name = name
	}
	if t.Kind == value.Either && allNumbers(t) {
		return value.Term{Kind: value.Symbol, Name: name}
	}
	return t
}

func allNumbers(t value.Term) bool {
	for _, a := range t.Args {
		if _, ok := a.IsInt(); !ok {
			return false
		}
	}
	return true
}
