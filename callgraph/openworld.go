package callgraph

import (
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// The program isn't all there is: what an exported constructor is given, or an exported field holds, may come from a user
// that isn't looked at. If nothing in the program sets such a slot of an interface type, it is assumed to hold the module's
// only other implementation of the interface; findings say so.

// assume returns the value that a reference is assumed to stand for, and the assumption in words.
func (g *Program) assume(t value.Term) (assumed value.Term, words string, ok bool) {
	slot := slotFor(t)
	if slot == "" || !g.unset(slot, 0) {
		return t, "", false
	}
	iface, holder := g.interfaceOf(t)
	only := g.onlyOther(iface, append(g.holders[slot], holder, holderOf(slot)))
	if only == "" {
		return t, "", false
	}
	words = t.Text() + " is a " + shortName(only) + ", the only other " + shortName(iface)
	return value.Term{Kind: value.Record, Name: only}, words, true
}

// onlyOther returns the one implementation of an interface that isn't among holders, "" if there are others. One that holds
// such a value itself can't be the only one.
func (g *Program) onlyOther(iface string, holders []string) string {
	only := ""
	for _, name := range g.implementations(iface) {
		switch {
		case slices.Contains(holders, name):
		case only != "" || g.decorates(name, iface):
			return ""
		default:
			only = name
		}
	}
	return only
}

func (g *Program) decorates(typ, iface string) bool {
	for _, f := range g.types[typ].Fields {
		if strings.HasSuffix(f, ":"+iface) {
			return true
		}
	}
	return false
}

// unset reports whether nothing in the program sets a slot that a user can set, directly or by what is assigned to it.
func (g *Program) unset(slot string, depth int) bool {
	list := g.inflows(slot)
	if len(list) == 0 {
		return g.settable(slot)
	}
	for _, in := range list {
		from := slotFor(in)
		if from == "" || from == slot || depth > 6 || !g.unset(from, depth+1) {
			return false
		}
	}
	return true
}

// settable reports whether a user of the module can set a slot: the parameter of an exported function, an exported field.
func (g *Program) settable(slot string) bool {
	if rest, ok := strings.CutPrefix(slot, paramSlot); ok {
		body := g.bodied[rest[:strings.LastIndexByte(rest, ' ')]]
		return body != nil && body.Entry && body.Parent == "" // a literal is called by whoever got it
	}
	name := slot[strings.LastIndexByte(slot, '.')+1:]
	return strings.HasPrefix(slot, fieldSlot) && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// interfaceOf returns the interface type of a reference, and the type of the struct that holds it.
func (g *Program) interfaceOf(t value.Term) (iface, holder string) {
	switch t.Kind {
	case value.Slot:
		return t.Names[1], ""
	case value.Field:
		holder = t.Names[0]
		return g.fieldType(holder, t.Name), holder
	}
	return "", ""
}

// holderOf is the type whose method a parameter belongs to.
func holderOf(slot string) string {
	rest, ok := strings.CutPrefix(slot, paramSlot+"(")
	if !ok {
		return ""
	}
	return strings.TrimLeft(rest[:strings.IndexByte(rest, ')')], "*")
}

// implementations lists the types of the interface's module that implement it, mocks and packages that support tests aside.
func (g *Program) implementations(iface string) []string {
	i := g.types[iface]
	if i == nil || !i.Interface || len(i.Methods) == 0 {
		return nil
	}
	if list, ok := g.implementing[iface]; ok {
		return list
	}
	first, _, _ := strings.Cut(i.Methods[0], " ")
	var list []string
	for _, t := range g.byMethod[first] {
		if !g.related(t.Name, iface) || t.isMock() || TestSupport(t.Name) || !g.implements(t.Name, iface) {
			continue
		}
		list = append(list, t.Name)
	}
	slices.Sort(list)
	g.implementing[iface] = list
	return list
}

// related reports whether two types belong to one module, and some package of the program knows both: methods that have the
// same names by accident make no implementation.
func (g *Program) related(a, b string) bool {
	p, _ := splitName(a)
	q, _ := splitName(b)
	if p == q {
		return true
	}
	if g.modules[p] != g.modules[q] {
		return false
	}
	for user := range g.usersOf(p) {
		if g.usersOf(q)[user] {
			return true
		}
	}
	return false
}

// usersOf lists the packages that import a package, directly or not, and itself.
func (g *Program) usersOf(pkg string) map[string]bool {
	if users, ok := g.users[pkg]; ok {
		return users
	}
	users := map[string]bool{pkg: true}
	for changed := true; changed; {
		changed = false
		for importer, imports := range g.imports {
			if !users[importer] && slices.ContainsFunc(imports, func(i string) bool { return users[i] }) {
				users[importer], changed = true, true
			}
		}
	}
	g.users[pkg] = users
	return users
}

func (t *Type) isMock() bool {
	name := strings.ToLower(shortName(t.Name))
	return t.Generated && (strings.Contains(name, "mock") || strings.Contains(name, "fake"))
}

func shortName(typ string) string { return typ[strings.LastIndexByte(typ, '.')+1:] }

// support are the names of directories that hold code for tests only.
var support = []string{
	"test", "tests", "testing", "testutil", "testutils", "testdata", "fixture", "fixtures", "e2e", "mock", "mocks", "integration",
}

// TestSupport reports whether a slash-separated path, of a file or a type, leads through a directory that holds code for
// tests only.
func TestSupport(path string) bool {
	elements := strings.Split(path, "/")
	last := len(elements) - 1
	if pkg, _, isType := strings.Cut(elements[last], "."); isType && !strings.HasSuffix(path, ".go") {
		elements[last] = pkg
	} else {
		elements = elements[:last]
	}
	return slices.ContainsFunc(elements, supportsTests)
}

func supportsTests(dir string) bool {
	_, after, compound := strings.Cut(dir, "-") // store-tests
	return slices.Contains(support, dir) || compound && slices.Contains(support, after)
}
