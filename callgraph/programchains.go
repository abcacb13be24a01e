package callgraph

// Chains returns the chains of two and more multiplying sites of the program, in the order of functions: one for each
// outermost site, the worst. Accepted are the chains, whole, of which directives accept a site.
func (g *Program) Chains() (chains, accepted []Chain) {
	g.compose()
	found := g.chains()
	return found.chains, found.accepted
}

// compose finds the paths of all functions, by which it is known who executes what inside of which site.
func (g *Program) compose() {
	for _, id := range g.ids {
		g.Paths(id)
	}
}
