package callgraph

import (
	"slices"
	"sort"
	"strings"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// # Programs
//
// A Program links the raw summaries of packages. Values that no package can know by itself, which arrive through a parameter,
// a field, a variable or the elements of a container, are slots: whatever any package puts there may come out. What a slot
// holds is found on demand, by following the assignments to it backwards through the slots that they read (flows.go). Values
// keep what is known of their parts, so that a decorator is followed as the instance that somebody constructed; slots merge
// instances only where no construction tells them apart. A way through the program that enters one slot a second time is
// merely made by merging, and ends there.
//
// What is composed is the same as in a package (compose.go); a Program differs in what it knows.

// A Program is the packages of one workspace.
type Program struct {
	*composer
	bodied   map[string]*Body
	ids      []string
	foreign  map[string]*Function
	flows    map[string][]Flow
	coarse   map[string][]Flow
	fields   map[string]value.Term
	types    map[string]*Type
	byMethod map[string][]*Type // types by the name of a method
	versions map[string]string
	modules  map[string]string // by package
	imports  map[string][]string
	users    map[string]map[string]bool // packages that import a package
	holders  map[string][]string        // types of the structs that a parameter is put into, by its slot

	inquiry *inquiry
	frames  map[string]value.Frame
	flowing answers[string, []value.Term] // what is assigned to a slot
	slots   answers[string, []value.Term] // what a slot can hold
	// agreement has the value that all assignments to a slot give it.
	agreement answers[string, value.Term]
	made      map[string][]value.Term // values of struct types that somebody constructs, by type
	provided  map[string][]Reflected  // functions that are called by reflection, by the types of their results
	takes     map[string][]Reflected  // the same, by function
	taken     map[string][]Hop
	fits      map[[2]string]bool // whether a type implements an interface
	invokes   map[string][]*Call // calls of interface methods, by name
	// injectable are the types of the parameters of functions that are called by reflection.
	injectable   map[string]bool
	implementing map[string][]string // types by the interface that they implement
	alike        bool                // one answer is wanted
	flowed       *typeFlow           // nil until it is asked
	lacking      map[string]bool     // slots that are assigned what can't be followed
	closing      map[string]int      // fields that are being described, by how often
}

// NewProgram links packages. Bodies are taken over.
func NewProgram(raws []*Raw) *Program {
	g := &Program{
		bodied: map[string]*Body{}, foreign: map[string]*Function{}, flows: map[string][]Flow{}, coarse: map[string][]Flow{}, fields: map[string]value.Term{},
		types: map[string]*Type{}, byMethod: map[string][]*Type{}, implementing: map[string][]string{}, fits: map[[2]string]bool{},
		versions: map[string]string{}, modules: map[string]string{}, imports: map[string][]string{},
		users: map[string]map[string]bool{}, holders: map[string][]string{}, made: map[string][]value.Term{},
		lacking: map[string]bool{}, closing: map[string]int{}, frames: map[string]value.Frame{}, taken: map[string][]Hop{},
		provided: map[string][]Reflected{}, takes: map[string][]Reflected{},
	}
	g.inquiry = newInquiry(maxLinkDepth)
	g.flowing, g.slots = newAnswers[string, []value.Term](g.inquiry), newAnswers[string, []value.Term](g.inquiry)
	g.agreement = newAnswers[string, value.Term](g.inquiry)
	g.composer = newComposer(g)
	g.limits = programLimits
	sort.Slice(raws, func(i, j int) bool { return raws[i].Package < raws[j].Package })
	for _, r := range raws {
		if TestSupport(strings.TrimPrefix(strings.TrimPrefix(r.Package, r.Module), "/") + "/x.go") {
			continue // what tests construct reaches no user
		}
		g.load(r)
	}
	sort.Strings(g.ids)
	g.reach()
	g.construct()
	return g
}

func (g *Program) load(r *Raw) {
	g.modules[r.Package] = r.Module
	g.imports[r.Package] = r.Imports
	for _, v := range r.Versions {
		root, version, _ := strings.Cut(v, "@")
		g.versions[root] = version
	}
	for _, b := range r.Bodies {
		if g.bodied[b.ID] == nil {
			g.ids = append(g.ids, b.ID)
		}
		g.bodied[b.ID] = b
		for _, f := range b.Coarse {
			f.In = b.ID
			g.coarse[f.To] = append(g.coarse[f.To], f)
		}
	}
	for i := range r.Foreign {
		g.foreign[r.Foreign[i].ID] = &r.Foreign[i]
	}
	for _, f := range r.Flows {
		g.flows[f.To] = append(g.flows[f.To], f)
	}
	for _, h := range r.Fields {
		g.fields[h.Field] = h.Value
	}
	for i := range r.Types {
		g.loadType(&r.Types[i])
	}
	for _, f := range r.Reflected {
		g.takes[f.Function] = append(g.takes[f.Function], f)
		for _, typ := range f.Results {
			g.provided[typ] = append(g.provided[typ], f)
		}
	}
}

func (g *Program) loadType(t *Type) {
	g.types[t.Name] = t
	if t.Interface {
		return
	}
	for _, m := range t.Methods {
		name, _, _ := strings.Cut(m, " ")
		g.byMethod[name] = append(g.byMethod[name], t)
	}
}

func (g *Program) body(id string) *Body { return g.bodied[id] }

func (g *Program) bodyIDs() []string { return g.ids }

func (g *Program) pathsOf(id string) []Path {
	if f := g.foreign[id]; f != nil {
		return f.Paths
	}
	return nil
}

func (g *Program) version(importPath string) string {
	if lib := libraryOf(importPath + ".x"); lib != nil {
		return g.versions[lib.Root()]
	}
	return ""
}

// take notes the sites that calls take over from helpers, by function.
func (g *Program) take(h Hop, _ sites.Role) {
	for _, other := range g.taken[h.Owner] {
		if placeKey(other) == placeKey(h) && value.Equal(other.Attempts, h.Attempts) {
			return
		}
	}
	g.taken[h.Owner] = append(g.taken[h.Owner], h)
}

// leadsOutward reads what the package said of the call.
func (g *Program) leadsOutward(c *Call, repeats, library string) bool {
	word := strings.TrimSpace(repeats + " " + library)
	if repeats == "true" || repeats == "false" {
		word = repeats
	}
	return outwardByDefault(repeats) != slices.Contains(c.Differs, word)
}

// outward is what the package said of the call. Which of these errors bear a library's marks isn't told: more may come out
// than does.
func (g *Program) outward(c *Call, given fault.Set, repeats, _ string) fault.Set {
	switch repeats {
	case "true":
		return after(c.OutTrue, given)
	case "false":
		return after(c.OutFalse, given)
	}
	return after(c.Out, given)
}

func (g *Program) giveUp(hops []Hop, c *Call, inner fault.Set) fault.Set {
	if last := len(hops) - 1; last >= 0 {
		hops[last].Sees = inner
	}
	return after(c.Out, inner)
}

func (g *Program) failuresOfCall(c *Call) fault.Set { return c.Fails }

// after puts the error that a call fails with into what is said of it.
func after(s, given fault.Set) fault.Set {
	return s.With(func(part string) fault.Set {
		if part == fault.Tail {
			return given
		}
		return ""
	})
}

func (g *Program) errorsOf(id string) Errors {
	if b := g.bodied[id]; b != nil {
		return b.Errors
	}
	if f := g.foreign[id]; f != nil {
		return f.Errors
	}
	return Errors{}
}

func (g *Program) failuresNamed(id, repeats string) fault.Set {
	switch e := g.errorsOf(id); repeats {
	case "true":
		return e.FailsAgain
	case "false":
		return e.FailsDone
	default:
		return e.Fails
	}
}

func (g *Program) casesNamed(id string) fault.Cases { return g.errorsOf(id).Cases }

func (g *Program) statesNamed(id string) []string { return g.errorsOf(id).States }

func (g *Program) endsOf(id string) []sites.End {
	if b := g.bodied[id]; b != nil {
		return b.Ends
	}
	if f := g.foreign[id]; f != nil {
		return f.Ends
	}
	return nil
}

// methodID identifies the method of the type of a Record: its own, or one of an embedded field.
func (g *Program) methodID(receiver value.Term, name string) string {
	if t := g.types[receiver.Name]; t != nil && !t.Interface {
		return g.methodOf(t, name)
	}
	for _, id := range []string{methodName(receiver.Name, name, true), methodName(receiver.Name, name, false)} {
		if g.foreign[id] != nil {
			return id
		}
	}
	return ""
}

func (g *Program) methodOf(t *Type, name string) string {
	for i, m := range t.Methods {
		if n, _, _ := strings.Cut(m, " "); n != name {
			continue
		}
		if t.Promoted != nil && t.Promoted[i] != "" {
			return "" // see embedded
		}
		for _, id := range []string{methodName(t.Name, name, true), methodName(t.Name, name, false)} {
			if g.bodied[id] != nil {
				return id
			}
		}
	}
	return ""
}

// embedded returns the embedded field of a struct that the method called name belongs to.
func (g *Program) embedded(receiver value.Term, name string) (part value.Term, declared string, ok bool) {
	t := g.types[receiver.Name]
	if t == nil || t.Promoted == nil {
		return value.Term{}, "", false
	}
	for i, m := range t.Methods {
		if n, _, _ := strings.Cut(m, " "); n == name && t.Promoted[i] != "" {
			dot := strings.LastIndexByte(t.Promoted[i], '.')
			owner, field := t.Promoted[i][:dot], t.Promoted[i][dot+1:]
			return owned(value.Select(receiver, field), field, owner), g.fieldType(owner, field), true
		}
	}
	return value.Term{}, "", false
}

// methodName is the identity of a method: (*pkgpath.T).M.
func methodName(typ, method string, pointer bool) string {
	if pointer {
		return "(*" + typ + ")." + method
	}
	return "(" + typ + ")." + method
}
