package callgraph

import (
	"go/types"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/value"
)

// Settings that somebody else fills in have their defaults beside them: a function that reads the environment returns them otherwise,
// and what reflection fills in has them in the field's tag, as many configuration packages read it, or in a table of options
// whose names the tags repeat.

// setting describes a value that is a number read from the environment, a file or a flag, or else the one other thing among values: a
// symbol with that as its default.
func (p *Package) setting(values []ssa.Value) (value.Term, bool) {
	read, fallback, name := false, value.Term{}, ""
	for _, v := range values {
		if isRead(v) {
			read = true
			continue
		}
		t := p.Term(v)
		if t.Kind == value.Symbol && len(t.Args) == 1 {
			read, name, t = true, t.Name, t.Args[0]
		}
		if fallback.Known() && !value.Equal(t, fallback) {
			return value.Term{}, false
		}
		fallback = t
	}
	_, isNumber := fallback.IsInt()
	if !read || !isNumber && fallback.Kind != value.Param {
		return value.Term{}, false
	}
	return value.Term{Kind: value.Symbol, Name: name, Args: []value.Term{fallback}}, true
}

// isRead reports whether v is a number that is made of a text.
func isRead(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Convert:
		return isRead(v.X)
	case *ssa.ChangeType:
		return isRead(v.X)
	case *ssa.Extract:
		return v.Index == 0 && isRead(v.Tuple)
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil {
			return false
		}
		obj, ok := callee.Object().(*types.Func)
		return ok && catalog.Does(obj.FullName()) == "read-setting"
	}
	return false
}

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
