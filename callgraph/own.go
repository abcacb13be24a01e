package callgraph

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/config"
)

var (
	ownMutex sync.Mutex
	ownRoots []string
	ownFrom  *config.Config
)

// addOwn adds what a project's configuration tells to the catalogue, in the catalogue's own form. It does so once for each
// configuration.
func addOwn(c *config.Config) {
	ownMutex.Lock()
	defer ownMutex.Unlock()
	if c == ownFrom {
		return
	}
	for _, root := range ownRoots {
		catalog.Forget(root)
	}
	ownFrom, ownRoots = c, nil
	addEffects(c)
	if c == nil {
		return
	}
	libraries := map[string]*catalog.Library{}
	for i, h := range c.Helpers {
		addHelper(libraries, h, fmt.Sprintf("helper%d", i))
	}
	for i, client := range c.Clients {
		addClient(libraries, client, fmt.Sprintf("client%d", i))
	}
	for root, lib := range libraries {
		catalog.Add(root, lib)
		ownRoots = append(ownRoots, root)
	}
}

// addEffects adds the writes and keys of a configuration.
func addEffects(c *config.Config) {
	if c == nil {
		catalog.AddEffects(nil, nil)
		return
	}
	var writes []*catalog.Write
	for _, w := range c.Writes {
		writes = append(writes, ownWrite(w))
	}
	catalog.AddEffects(writes, c.Keys)
}

func ownWrite(w config.Write) *catalog.Write {
	root, symbol := ownName(w.Function)
	row := &catalog.Write{Packages: []string{root}, Key: w.Key}
	receiver, method, isMethod := strings.Cut(strings.TrimLeft(symbol, "(*"), ").")
	if isMethod {
		row.Types, row.Methods = []string{receiver}, []string{method}
		row.Does = "executes " + method + ", which the configuration calls a write"
		return row
	}
	row.Functions = []string{symbol}
	row.Does = "executes " + symbol + ", which the configuration calls a write"
	return row
}

func ownLibrary(libraries map[string]*catalog.Library, root string) *catalog.Library {
	if libraries[root] == nil {
		libraries[root] = &catalog.Library{Name: root[strings.LastIndexByte(root, '/')+1:]}
	}
	return libraries[root]
}

func addHelper(libraries map[string]*catalog.Library, h config.Helper, policy string) {
	root, symbol := ownName(h.Function)
	lib := ownLibrary(libraries, root)
	site := &catalog.Site{Operation: fmt.Sprintf("arg%d", h.Operation)}
	site.Policy = policy
	lib.Policies = append(lib.Policies, ownPolicyOf(policy, h.Attempts, site))
	lib.Functions = append(lib.Functions, &catalog.Function{Names: []string{symbol}, Site: site})
}

func addClient(libraries map[string]*catalog.Library, c config.Client, policy string) {
	star := ""
	if strings.HasPrefix(c.Type, "*") {
		star = "*"
	}
	root, typ := splitName(strings.TrimPrefix(c.Type, "*"))
	lib := ownLibrary(libraries, root)
	site := &catalog.Site{Operation: "request"}
	site.Policy = policy
	lib.Policies = append(lib.Policies, ownPolicyOf(policy, c.Attempts, site))
	f := &catalog.Function{Site: site}
	for _, m := range c.Methods {
		f.Names = append(f.Names, "("+star+typ+")."+m)
	}
	lib.Functions = append(lib.Functions, f)
}

// ownPolicyOf returns the policy that makes the attempts a says: a number, or what an argument of the site says.
func ownPolicyOf(name string, a config.Attempts, site *catalog.Site) *catalog.Policy {
	policy := &catalog.Policy{Type: name, Default: "caller"}
	if a.Number > 0 {
		policy.Default = catalog.Attempts(strconv.Itoa(a.Number))
		return policy
	}
	unit := "attempts"
	if a.Retries {
		unit = "retries"
	}
	policy.Settings = []catalog.Setting{{Name: "count", Unit: unit}}
	site.Set = map[string]catalog.Source{"count": catalog.Source(fmt.Sprintf("arg%d", a.Argument))}
	return policy
}

// ownName splits example.com/x/retry.Do and (*example.com/x.Retrier).Do into the package and the name in it.
func ownName(function string) (root, symbol string) {
	receiver, method, isMethod := strings.Cut(strings.TrimPrefix(function, "("), ").")
	if !isMethod {
		root, symbol = splitName(function)
		return root, symbol
	}
	star := ""
	if strings.HasPrefix(receiver, "*") {
		star, receiver = "*", receiver[1:]
	}
	root, typ := splitName(receiver)
	return root, "(" + star + typ + ")." + method
}
