package catalog

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Counters is what libraries do that guard, count or admit, so that budgets are recognised in what code does with them. It is
// one file, counters.yaml. Names are exact, as go/types writes them; there are no patterns and no versions.
type Counters struct {
	// Checked is the version of Go whose library was read, Source where.
	Checked string   `yaml:"checked"`
	Source  []string `yaml:"source"`
	// Types are those, as pkgpath.Name, whose values are numbers that goroutines may share.
	Types []string `yaml:"types"`
	// Served are types that a function is given which is called once for each connection or request.
	Served []string `yaml:"served"`
	// Functions say what functions do, by a word of counterWords.
	Functions []Doing `yaml:"functions"`
}

// counterWords are what functions do. The number that load, store, add, subtract, increment, decrement, swap and
// compare-and-swap work on is the receiver or first argument. A lock and a read-lock hold until they are unlocked. The smaller and
// the larger are of two numbers. A clock tells the time, or how much of it has passed. What can admit answers whether something
// may happen now, false being no; a permit answers so, too, and is given back when that is over. To pace and to enter are the same
// for those who wait until they may. A limiter makes what can admit.
var counterWords = []string{
	"load", "store", "add", "subtract", "increment", "decrement", "swap", "compare-and-swap",
	"lock", "unlock", "read-lock", "read-unlock", "smaller", "larger", "clock", "admit", "permit", "pace", "enter", "limiter",
}

//go:embed counters.yaml
var countersData []byte

type counterIndex struct {
	types, served set
	does          map[string]string
}

// counters is the file, indexed. One that doesn't parse is a mistake of the build, which the tests find.
var counters = sync.OnceValue(func() *counterIndex {
	c, err := parseCounters(countersData)
	if err != nil {
		panic(err)
	}
	i := &counterIndex{types: setOf(c.Types), served: setOf(c.Served), does: map[string]string{}}
	for _, row := range c.Functions {
		assign(i.does, row.Names, row.Does)
	}
	return i
})

func parseCounters(content []byte) (*Counters, error) {
	c := new(Counters)
	return c, decode("counters.yaml", content, c)
}

// Counts says what a function does to a number, a lock or the like, by a word of Counters; "" if nothing is known of it.
func Counts(fullName string) string { return counters().does[fullName] }

// AtomicType reports whether values of a type, as pkgpath.Name, are numbers that goroutines may share.
func AtomicType(name string) bool { return counters().types[name] }

// Served reports whether a function that is given a value of a type, as pkgpath.Name, is called once for each connection or
// request.
func Served(name string) bool { return counters().served[name] }

// Validate reports everything that the types can't express.
func (c *Counters) Validate() error {
	problems := []error{}
	if c.Checked == "" || len(c.Source) == 0 {
		problems = append(problems, errors.New("checked or source is missing"))
	}
	seen := set{}
	for _, row := range c.Functions {
		if !slices.Contains(counterWords, row.Does) {
			problems = append(problems, fmt.Errorf("functions: %q isn't one of %s", row.Does, strings.Join(counterWords, ", ")))
		}
		problems = append(problems, validNames("functions", row.Names, seen))
	}
	problems = append(problems, validNames("functions", c.Types, set{}))
	if len(c.Served) > 0 {
		problems = append(problems, validNames("functions", c.Served, set{}))
	}
	return errors.Join(problems...)
}
