package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrylint/retrylint/internal/platform"
	"github.com/retrylint/retrylint/internal/typo"
)

// A Layer is a platform that code runs on, and where a file says so.
type Layer struct {
	platform.Platform
	File string // as messages call it
	Line int
}

// A Retry is what a project has decided about retries.
type Retry struct {
	// Owner are the packages that retry for all others: import paths, of which one that ends in /... stands for those below as well.
	Owner  []string
	Policy Policy
}

// A Policy bounds what one retry site may do.
type Policy struct {
	// MaxAttempts is the most that one site may make; 0 says nothing.
	MaxAttempts int
}

// Platforms are the layers that the code runs on.
func (c *Config) Platforms() []Layer {
	var list []Layer
	for _, s := range c.scopes {
		list = append(list, s.platforms...)
	}
	return list
}

// Breaches says in words what the site of a package, with so many attempts at most (0 if nobody knows), has against what was decided
// for a file. callee is the package of the helper or library that it calls, if it is a call. The nearest file that decides about a
// key is asked.
func (c *Config) Breaches(file, pkg, callee string, attempts int64) []string {
	var list []string
	around := c.around(file)
	if i := slices.IndexFunc(around, func(s scope) bool { return len(s.retry.Owner) > 0 }); i >= 0 {
		if owner := around[i].retry.Owner; !owns(owner, pkg) && !owns(owner, callee) {
			list = append(list, "not by the owner, "+strings.Join(owner, " or "))
		}
	}
	if i := slices.IndexFunc(around, func(s scope) bool { return s.retry.Policy.MaxAttempts > 0 }); i >= 0 {
		if most := around[i].retry.Policy.MaxAttempts; attempts > int64(most) {
			list = append(list, fmt.Sprintf("more than the policy's %d", most))
		}
	}
	return list
}

// owns reports whether a package is among the owners.
func owns(owner []string, pkg string) bool {
	return slices.ContainsFunc(owner, func(o string) bool {
		root, below := strings.CutSuffix(o, "/...")
		return pkg == root || below && strings.HasPrefix(pkg, root+"/")
	})
}

var (
	retryKeys  = []string{"owner", "policy"}
	policyKeys = []string{"max-attempts"}
)

// decisions reads what is said about the platform and about who may retry.
func (r *reader) decisions(keys map[string]*yaml.Node, s *scope) {
	for _, item := range r.list(keys["platform"], "platform") {
		if p := r.platform(item); p != nil {
			s.platforms = append(s.platforms, Layer{*p, r.file, item.Line})
		}
	}
	at := keys["retry"]
	if at == nil || at.Tag == "!!null" {
		return
	}
	retry := r.mapping(at, "retry", retryKeys)
	for _, item := range r.list(retry["owner"], "owner") {
		s.retry.Owner = append(s.retry.Owner, r.owner(item))
	}
	if at := retry["policy"]; at != nil && at.Tag != "!!null" {
		s.retry.Policy = r.policy(at)
	}
}

func (r *reader) platform(n *yaml.Node) *platform.Platform {
	name := r.text(n, "a platform")
	p := platform.Find(name)
	if name != "" && p == nil {
		known := platform.Names()
		hint := typo.Hint(name, known)
		if hint == "" {
			hint = ": those that repeat requests by themselves are " + strings.Join(known, ", ")
		}
		r.problem(n, "unknown platform %q%s", name, hint)
	}
	r.value(n, "platform", name)
	return p
}

var packages = regexp.MustCompile(`^[^ \t*()\[\]{}/]*[^ \t*()\[\]{}/.][^ \t*()\[\]{}/]*(/[^ \t*()\[\]{}/]*[^ \t*()\[\]{}/.][^ \t*()\[\]{}/]*)*(/\.\.\.)?$`)

func (r *reader) owner(n *yaml.Node) string {
	path := r.text(n, "an owner")
	if path != "" && !packages.MatchString(path) {
		r.problem(n, "an owner must be the import path of a package, with /... for those below it as well; found %s", found(n))
	}
	r.value(n, "retry.owner", path)
	return path
}

func (r *reader) policy(n *yaml.Node) (p Policy) {
	if at := r.mapping(n, "policy", policyKeys)["max-attempts"]; at != nil {
		p.MaxAttempts = r.number(at, "max-attempts", 1)
		r.value(at, "retry.policy.max-attempts", strconv.Itoa(p.MaxAttempts))
	}
	return p
}
