package callgraph

import "github.com/retrylint/retrylint/internal/value"

// pack leaves out of a raw summary what is the same for most of its parts, since it is replayed with every run. See unpack.
func (r *Raw) pack() {
	for _, b := range r.Bodies {
		for i := range b.Calls {
			c := &b.Calls[i]
			c.At = b.packed(c.At, r)
			c.At.Kind = ""
			around := make([]Hop, len(c.Around))
			for j, h := range c.Around {
				around[j] = b.packed(h, r)
			}
			c.Around = around
			c.Args = lightened(c.Args)
			if c.Tail != nil {
				c.Tail = b.packedTail(c.Tail, r)
			}
		}
	}
}

func (b *Body) packedTail(t *Tail, r *Raw) *Tail {
	light := *t
	light.Args = lightened(t.Args)
	if t.Site != nil {
		h := b.packed(*t.Site, r)
		light.Site = &h
	}
	if t.Then != nil {
		light.Then = b.packedTail(t.Then, r)
	}
	return &light
}

func lightened(args []value.Term) []value.Term {
	light := make([]value.Term, len(args))
	for i, a := range args {
		if a.Size() <= maxFlowing {
			light[i] = a
		}
	}
	return light
}

func (b *Body) packed(h Hop, r *Raw) Hop {
	blank(&h.Owner, b.ID)
	blank(&h.Function, b.Name)
	blank(&h.File, b.File)
	blank(&h.Package, pathOf(r.Package))
	blank(&h.Module, r.Module)
	return h
}

func blank(s *string, usual string) {
	if *s == usual {
		*s = ""
	}
}

// unpack puts back what pack has left out.
func (r *Raw) unpack() {
	for _, b := range r.Bodies {
		for i := range b.Calls {
			c := &b.Calls[i]
			b.fill(&c.At, r)
			c.At.Kind = "helper-call"
			for j := range c.Around {
				b.fill(&c.Around[j], r)
			}
			for t := c.Tail; t != nil; t = t.Then {
				if t.Site != nil {
					b.fill(t.Site, r)
				}
			}
		}
	}
}

func (b *Body) fill(h *Hop, r *Raw) {
	fill(&h.Owner, b.ID)
	fill(&h.Function, b.Name)
	fill(&h.File, b.File)
	fill(&h.Package, pathOf(r.Package))
	fill(&h.Module, r.Module)
}

func fill(s *string, usual string) {
	if *s == "" {
		*s = usual
	}
}
