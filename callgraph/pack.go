package callgraph

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// Encode returns a raw summary as text: packed JSON, compressed, in base64.
func (r *Raw) Encode() (string, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &b)
	w, err := flate.NewWriter(text, flate.BestCompression)
	if err != nil {
		return "", err
	}
	r.pack()
	for _, err := range []error{json.NewEncoder(w).Encode(r), w.Close(), text.Close()} {
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// Decode reads what Encode has written.
func Decode(text string) (*Raw, error) {
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("a raw summary is no base64: %w", err)
	}
	var r Raw
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(packed))).Decode(&r); err != nil {
		return nil, fmt.Errorf("a raw summary can't be read: %w", err)
	}
	r.unpack()
	return &r, nil
}

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
		light[i] = a.Within(maxFlowing)
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
