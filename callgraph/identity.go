package callgraph

import "fmt"

// Layers tell what a chain is made of, a site each, so that it can be recognised in another version of the code: the
// attempts, what repeats and in which function, but no place and nothing of how the number came about.
func (c Chain) Layers() []string {
	list := make([]string, len(c.Links))
	for i, l := range c.Links {
		list[i] = l.identity()
	}
	return list
}

// identity is a layer: 3 by the loop in example.com/m/rates.(*Client).Rates.
func (l Link) identity() string {
	attempts := l.Count.String()
	if n, known := l.Count.Value(); known && l.Count.HasDefault {
		attempts += fmt.Sprintf(" (default %d)", n)
	}
	return fmt.Sprintf("%s by %s in %s.%s", attempts, l.name(), l.Package, l.Function)
}
