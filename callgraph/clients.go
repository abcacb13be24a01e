package callgraph

import (
	"go/types"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// followSite turns a library's site into hops, once its policy value doesn't depend on callers any more.
func (c *composer) followSite(t Tail, at *Hop) []Path {
	if t.Callee.Open() && t.Callee.Size() < maxTail {
		return []Path{{Tail: &t}} // what a library gives up with isn't known
	}
	t.Callee = c.close(t.Callee)
	hops := c.outerLayers(t)
	if t.Site.Kind != "connection" {
		own := *t.Site
		own.Attempts = t.Callee
		c.askPolicy(&own)
		hops = append(hops, own)
	}
	below := c.innerLayers(t, at)
	if t.Then != nil {
		c.whileInside(true, func() { below = c.follow(*t.Then, at) })
	}
	return Path{Hops: hops}.extended(below, "")
}

// outerLayers returns the hops of layers around a client, such as interceptors, outermost first. Options of the call apply
// to them too.
func (c *composer) outerLayers(t Tail) []Hop {
	policy := policyOf(t.Site)
	if policy == nil {
		return nil
	}
	var hops []Hop
	for _, name := range policy.Outer {
		for _, layer := range flatten(value.Select(t.Callee, name)) {
			if layer.Kind != value.Record {
				continue
			}
			if h, ok := c.layerHop(layer, t); ok {
				hops = append(hops, h)
			}
		}
	}
	return hops
}

// layerHop returns the hop of a layer that is a policy value of some library.
func (c *composer) layerHop(layer value.Term, t Tail) (Hop, bool) {
	lib := libraryOf(layer.Name)
	if lib == nil {
		return Hop{}, false
	}
	h := *t.Site
	h.Kind, h.Label, h.Library, h.Policy, h.Version = "client", lib.Name, lib.Root(), layer.Name, c.version(lib.Root())
	h.Attempts = layer
	if opts, ok := t.Callee.Get(value.Applied); ok {
		names := []string{value.From, value.Applied}
		h.Attempts = value.Term{Kind: value.Record, Name: layer.Name, Names: names, Args: []value.Term{layer, opts}}
	}
	return h, true
}

// flatten lists the values in a setting that holds one value or many.
func flatten(t value.Term) []value.Term {
	switch t.Kind {
	case value.List:
		var all []value.Term
		for _, a := range t.Args {
			all = append(all, flatten(a)...)
		}
		return all
	case value.Either:
		return flatten(t.Args[0])
	}
	return []value.Term{t}
}

// innerLayers returns the paths through the layers below a client: its HTTP client, its transport.
func (c *composer) innerLayers(t Tail, at *Hop) []Path {
	policy := policyOf(t.Site)
	if policy == nil {
		return nil
	}
	var list []Path
	for _, name := range policy.Inner {
		list = append(list, c.layer(value.Select(t.Callee, name), *t.Site, at)...)
	}
	return list
}

// layer returns the paths through a value that sends requests for the client at site.
func (c *composer) layer(v value.Term, site Hop, at *Hop) []Path {
	switch v.Kind {
	case value.Either, value.Global:
		var list []Path
		for _, a := range v.Args {
			list = append(list, c.layer(a, site, at)...)
		}
		return list
	case value.Record:
	default:
		return nil
	}
	for _, method := range layerMethods {
		if paths, ok := c.layerPaths(v, method, site, at); ok {
			return paths
		}
	}
	return c.follow(Tail{Callee: v, Method: "RoundTrip"}, at)
}

// layerMethods are the methods by which one layer of a client hands a request to the next.
var layerMethods = []string{"RoundTrip", "Do"}

// layerPaths returns the paths through a method of a library's value: RoundTrip of a retrying transport.
func (c *composer) layerPaths(v value.Term, method string, site Hop, at *Hop) ([]Path, bool) {
	k := c.methodRow(v.Name, method)
	if k == nil || k.row.Site == nil || roleOf(k.row.Site) != sites.Retry {
		return nil, k != nil
	}
	h := site
	h.Kind, h.Label, h.Policy, h.Library, h.Version = "client", k.library.Name, v.Name, k.library.Root(), k.version
	if policyOf(&h) == nil {
		h.Policy = policyName(k.row.Site.Policy, k, types.Typ[types.Invalid]) // that of its requests
	}
	h.Helper, h.Unlimited, h.Bounded, h.Counter = "", false, "", value.Term{}
	if k.row.Site.Errors == "connection" {
		h.Kind = "connection"
	}
	return c.followSite(Tail{Callee: v, Site: &h}, at), true
}

// methodRow returns what the catalogue says of the method of a type, nil if nothing.
func (c *composer) methodRow(typ, method string) *knownFunction {
	pkgPath, name := splitName(typ)
	if k := rowOf(pkgPath, "(*"+name+")."+method, c.version(pkgPath)); k != nil {
		return k
	}
	return rowOf(pkgPath, "("+name+")."+method, c.version(pkgPath))
}

// isClient reports whether a method of a type is a request of a library's client.
func (c *composer) isClient(typ, method string) bool {
	k := c.methodRow(typ, method)
	return k != nil && k.row.Site != nil
}

func policyOf(h *Hop) *catalog.Policy {
	lib := libraryOf(h.Policy) // the policy may be another library's, as wait.Backoff is
	if lib == nil {
		return nil
	}
	return policyNamed(lib, h.Policy, h.Version)
}

func policyNamed(lib *catalog.Library, full, version string) *catalog.Policy {
	return lib.Policy(relativeTo(lib, full), version)
}

// relativeTo writes the full name of a type as the file of the library does.
func relativeTo(lib *catalog.Library, full string) string {
	pkgPath, typ := splitName(full)
	return lib.Relative(pkgPath, typ)
}

func libraryOf(typ string) *catalog.Library {
	pkgPath, _ := splitName(typ)
	if pkgPath == "" {
		return nil
	}
	return catalog.For(pkgPath)
}
