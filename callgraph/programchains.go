package callgraph

// Chains returns the chains of two and more multiplying sites of the program, in the order of functions: one for each
// outermost site, the worst.
func (g *Program) Chains() []Chain {
	for _, id := range g.ids {
		g.Paths(id)
	}
	return g.chains()
}
