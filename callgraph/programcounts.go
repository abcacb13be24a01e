package callgraph

import (
	"github.com/retrylint/retrylint/internal/count"
)

// A Place is where a package has recognised a site.
type Place struct {
	Package, File string // the file relative to the module's root
	Line          int
	Kind          string
}

// Counts returns the numbers of attempts that the program knows of its sites: those of which all ways agree what decides them,
// such as a policy that each caller gives to a constructor. Packages know most by themselves.
func (g *Program) Counts() map[Place]count.Count {
	c := &counted{g: g, known: map[Place]count.Count{}, differ: map[Place]bool{}}
	g.compose()
	for _, id := range g.ids {
		body := g.bodied[id]
		frame := g.entryFrame(body)
		for i := range body.Calls {
			call := &body.Calls[i]
			for _, h := range call.Around {
				c.add(h.in(frame))
			}
			if t := call.Tail; t != nil && t.Site != nil {
				h := *t.Site
				h.Attempts = t.Callee
				c.add(h.in(frame))
			}
		}
		for _, h := range g.taken[id] {
			c.add(h.in(frame))
		}
	}
	for place := range c.differ {
		delete(c.known, place)
	}
	return c.known
}

type counted struct {
	g      *Program
	known  map[Place]count.Count
	differ map[Place]bool
}

func (c *counted) add(h Hop) {
	n, _ := c.g.Count(h)
	if n.Kind == count.Unknown || n.Kind == count.Symbol && !n.HasDefault {
		return
	}
	place := Place{h.Package, h.File, h.Line, h.Kind}
	if before, seen := c.known[place]; seen && before != n {
		c.differ[place] = true
	}
	c.known[place] = n
}
