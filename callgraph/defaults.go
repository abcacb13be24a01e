package callgraph

import (
	"go/types"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// Settings that reflection fills in have their defaults beside them: in the field's tag, as many configuration packages read
// it, or in a table of options whose names the tags repeat.

// defaultTags are the keys of struct tags that hold a default.
var defaultTags = []string{"default", "envDefault", "env-default", "def"}

// nameTags are the keys of struct tags that hold the name of an option.
var nameTags = []string{"config", "json", "yaml", "toml", "mapstructure", "flag", "long", "koanf"}

// tagDefault returns the default of a field as its tag, or the table of options that the tag points to, gives it.
func (p *Package) tagDefault(u *fieldUse) (int64, bool) {
	tag := tagOf(u)
	for _, key := range defaultTags {
		if n, err := strconv.ParseInt(tag.Get(key), 10, 64); err == nil {
			return n, true
		}
	}
	for _, key := range nameTags {
		if n, ok := p.optionDefaults()[tag.Get(key)]; ok && tag.Get(key) != "" {
			return n, true
		}
	}
	return 0, false
}

func tagOf(u *fieldUse) reflect.StructTag {
	if len(u.uses) == 0 {
		return ""
	}
	st, _ := structOf(u.uses[0].X.Type())
	for i := range st.NumFields() {
		if st.Field(i).Origin() == u.field {
			return reflect.StructTag(st.Tag(i))
		}
	}
	return ""
}

// optionDefaults reads the tables of options in the package: struct literals with a constant Name and an integer Default.
func (p *Package) optionDefaults() map[string]int64 {
	if p.defaults != nil {
		return p.defaults
	}
	p.defaults = map[string]int64{}
	names := map[ssa.Value]string{}
	for _, u := range p.stringFields("Name") {
		names[u.X] = storedString(u)
	}
	for _, u := range p.stringFields("Default") {
		if n, ok := storedInt(u); ok && names[u.X] != "" {
			p.defaults[names[u.X]] = n
		}
	}
	return p.defaults
}

// stringFields lists the uses of fields called name, of any struct.
func (p *Package) stringFields(name string) []*ssa.FieldAddr {
	var uses []*ssa.FieldAddr
	for _, fn := range p.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				fa, ok := instr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if st, _ := structOf(fa.X.Type()); st != nil && st.Field(fa.Field).Name() == name {
					uses = append(uses, fa)
				}
			}
		}
	}
	return uses
}

func storedString(fa *ssa.FieldAddr) string {
	for _, ref := range *fa.Referrers() {
		if s, ok := ref.(*ssa.Store); ok {
			return constTermOf(s.Val)
		}
	}
	return ""
}

func constTermOf(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok {
		return constTerm(c).Name
	}
	return ""
}

func storedInt(fa *ssa.FieldAddr) (int64, bool) {
	for _, ref := range *fa.Referrers() {
		s, ok := ref.(*ssa.Store)
		if !ok {
			continue
		}
		v := s.Val
		if mi, isInterface := v.(*ssa.MakeInterface); isInterface {
			v = mi.X
		}
		if c, isConst := v.(*ssa.Const); isConst && isIntegral(c.Type()) {
			return constTerm(c).IsInt()
		}
	}
	return 0, false
}

func isIntegral(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
