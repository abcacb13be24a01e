package callgraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
)

// layersOf returns the sites that the call of a client goes through beside its own, outermost first: those of the worst path.
func (p *Package) layersOf(s Repetition) (around, below []Link) {
	if s.Hop.Kind != "client" || s.call.Site == nil || s.Role != sites.Retry {
		return nil, nil
	}
	var worst []Link
	most := count.Count{}
	for _, path := range p.closedPath(Path{Tail: &s.call}, 0) {
		if links, product := p.linksOf(path); worst == nil || product.More(most) {
			worst, most = links, product
		}
	}
	own := slices.IndexFunc(worst, func(l Link) bool { return l.Policy == s.Hop.Policy })
	if own < 0 {
		return nil, nil
	}
	return worst[:own], worst[own+1:]
}

// linksOf counts the hops of a path.
func (p *Package) linksOf(path Path) (links []Link, product count.Count) {
	product = count.Of(1)
	for _, h := range path.Hops {
		n, why := p.Count(h)
		links = append(links, Link{Hop: h, Count: n, Why: why})
		product = product.Times(n)
	}
	return links, product
}

// Origin tells how many attempts a place makes and why, in one line, with the layers of a client that has several:
// 3 attempts by AWS SDK for Go v2 (its default) × 5 by retryablehttp (RetryMax 4 makes 5).
func (s Repetition) Origin(module string) string {
	if s.Role != sites.Retry {
		return by(s.Hop, s.Why)
	}
	layers := slices.Concat(s.Around, []Link{{Hop: s.Hop, Count: s.Count, Why: s.Why}}, s.Below)
	parts := make([]string, len(layers))
	for i, l := range layers {
		parts[i] = l.Count.Factor() + " by " + s.layer(l, module)
	}
	parts[0] = Attempts(layers[0].Count) + " by " + s.layer(layers[0], module)
	return strings.Join(parts, " × ")
}

// layer describes one of several layers: with its place if it stands elsewhere.
func (s Repetition) layer(l Link, module string) string {
	if l.File == s.Hop.File && l.Line == s.Hop.Line {
		return by(l.Hop, l.Why)
	}
	return fmt.Sprintf("%s (%s)", l.what(), l.because(module))
}

// By names what repeats: the loop, again.Do, retryablehttp.
func (s Repetition) By() string { return s.Hop.name() }

// by names what repeats, and what decides about its number.
func by(h Hop, why string) string {
	text := h.name()
	if h.Helper != "" {
		text += ", whose loop is at " + h.Helper
	}
	if why != "" {
		text += " (" + why + ")"
	}
	return text
}

// Attempts renders a count with its unit, what is code in backquotes: 3 attempts, `cfg.Max + 1` attempts (default 11),
// unlimited attempts.
func Attempts(c count.Count) string {
	switch n, known := c.Value(); {
	case c.Kind == count.Unknown:
		return "an unknown number of attempts"
	case c.One():
		return c.String() + " attempt"
	case c.Kind == count.Symbol && known:
		return fmt.Sprintf("`%s` attempts (default %d)", c.Text, n)
	case c.Kind == count.Symbol && c.Bounded != "elapsed" && c.Bounded != "waiter":
		return fmt.Sprintf("`%s` attempts", c.Text)
	}
	return c.String() + " attempts"
}
