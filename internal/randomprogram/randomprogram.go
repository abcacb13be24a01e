// Package randomprogram makes random Go programs for tests: nested retries, closures, generics, iterators, jumps, recursion,
// deferred calls, method values, calls of retry libraries. They mean nothing; an analyzer must come through them all the same,
// twice with the same result.
//
// A program is made of bytes, each of which is a decision, so that a fuzzer can work on it. Most programs type-check; those
// that don't (a goto over a declaration) are to be discarded.
package randomprogram

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source returns the program that seed makes with that many decisions; after them, it goes on in the simplest way.
func Source(seed uint64, size int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	decisions := make([]byte, size)
	for i := range decisions {
		decisions[i] = byte(r.Uint32())
	}
	return FromBytes(decisions)
}

// FromBytes returns the program that the decisions make. When they run out, the simplest way is taken.
func FromBytes(decisions []byte) string {
	g := &generator{decisions: decisions}
	g.program()
	return g.text.String()
}

const preamble = `package random

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

type remote interface {
	Get(ctx context.Context, id string) (string, error)
	Ping() error
	Done() bool
}

type config struct {
	Max  int
	Wait time.Duration
	Op   func() error
	Next *config
}

type number interface{ ~int | ~int64 }

type list[T any] struct {
	head T
	tail *list[T]
}

type option func(*config)

// A retrier is a generic helper with a policy.
type retrier[T any] struct {
	config
	again func(error) bool
	last  T
}

// A wrapper embeds the interface that it changes one method of.
type wrapper struct {
	remote
	sync.Mutex
	tries int
}

var (
	errFinal = errors.New("final")
	policy   = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3)
	tries    = 4
)

var (
	_ = retry.Do
	_ = fmt.Sprint
	_ iter.Seq[int]
)

func stub(n int) error

func limit(n int) option { return func(c *config) { c.Max = n } }

`

// helpers are written if the program mentions their names.
var helpers = []struct{ name, text string }{
	{".each", `func (l *list[T]) each(f func(T) bool) {
	for ; l != nil; l = l.tail {
		if !f(l.head) {
			return
		}
	}
}
`},
	{"generic(", `func generic[T any, N number](n N, op func() (T, error)) (v T, err error) {
	for i := N(0); i < n; i++ {
		if v, err = op(); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}
`},
	{"apply(", `func apply(op func() error, opts ...option) (err error) {
	c := config{Max: 3}
	for _, o := range opts {
		o(&c)
	}
	for range c.Max {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(c.Wait)
	}
	return err
}
`},
	{".last, err", `func (r *retrier[T]) Do(op func() (T, error)) (v T, err error) {
	for i := 0; r.Max <= 0 || i < r.Max; i++ {
		if v, err = op(); err == nil || r.again != nil && !r.again(err) {
			r.last = v
			return v, err
		}
		time.Sleep(r.Wait << i)
	}
	return r.last, err
}
`},
	{"attempts(", `// attempts yields the numbers of attempts, and waits between them.
func attempts(ctx context.Context, n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, ctx.Err()) {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second << i):
			}
		}
	}
}
`},
	{"&wrapper{", `func (w *wrapper) Ping() (err error) {
	w.Lock()
	defer w.Unlock()
	for range w.tries {
		if err = w.remote.Ping(); err == nil {
			break
		}
	}
	return err
}
`},
}

// signature is that of all random functions; they can call each other.
const signature = "(ctx context.Context, r remote, c *config, n int, op func() error, names []string) (err error)"

const arguments = "(ctx, r, c, %s, %s, names)"

type generator struct {
	decisions []byte
	at        int
	text      strings.Builder
	indent    int
	functions int
	labels    int
	inLoop    int
	inSwitch  int
	depth     int
	left      int // statements that the function may still have
	literals  int // function literals around
}

// pick makes a decision between n ways.
func (g *generator) pick(n int) int {
	if g.at >= len(g.decisions) {
		return 0
	}
	d := g.decisions[g.at]
	g.at++
	return int(d) % n
}

func (g *generator) line(format string, args ...any) {
	g.text.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.text, format+"\n", args...)
}

func (g *generator) program() {
	g.text.WriteString(preamble)
	g.functions = 2 + g.pick(2)
	for i := range g.functions {
		g.function(i)
	}
	functions := g.text.String()
	for _, h := range helpers {
		if strings.Contains(functions, h.name) {
			g.line("%s", h.text)
		}
	}
}

// function writes f, which is random, and its relatives: M, a method, and x, a function that fails.
func (g *generator) function(i int) {
	random, plain := "func f%d"+signature, "func (c *config) M%d"+strings.Replace(signature, "c *config", "_ *config", 1)
	if g.pick(3) == 0 {
		random, plain = plain, random
	}
	g.line(random+" {", i)
	g.left = 3 + g.pick(12)
	g.body()
	g.line("\treturn err")
	g.line("}\n")
	g.line(plain+" { return op() }\n", i)
	g.line("func x%d%s { return errFinal }\n", i, signature)
}

// body writes some statements, one deeper.
func (g *generator) body() {
	g.indent++
	g.depth++
	for range 1 + g.pick(4) {
		if g.left--; g.left < 0 || g.depth > 6 {
			break
		}
		g.statement()
	}
	g.depth--
	g.indent--
}

func (g *generator) block(format string, args ...any) {
	g.line(format+" {", args...)
	g.body()
	g.line("}")
}

func (g *generator) statement() {
	statements := []func(){
		g.call, g.call, g.call, g.check, g.check, g.wait, g.countLoop, g.countLoop, g.conditionLoop, g.endlessLoop, g.rangeLoop,
		g.ifElse, g.switches, g.selects, g.literal, g.jump, g.labelled, g.defers, g.change, g.leave, g.typeSwitch, g.goes,
		g.retryLoop, g.retryLoop, g.library, g.recursion, g.ownRecursion, g.methodValue, g.iterator, g.forward, g.nestedLabels,
		g.outcomes, g.timer, g.genericHelper, g.embedded,
	}
	statements[g.pick(len(statements))]()
}

func (g *generator) call() { g.line("err = %s", g.operation()) }

// operation is an expression that yields an error.
func (g *generator) operation() string {
	switch g.pick(17) {
	case 13:
		return fmt.Sprintf("(*config).M%d(c, ctx, r, c, %s, %s, names)", g.pick(g.functions), g.integer(), g.function1())
	case 14:
		return "(&wrapper{remote: r, tries: " + g.integer() + "}).Ping()"
	case 15:
		return "retry.Do(" + g.function1() + ", " + g.attemptsOption() + ")"
	case 0:
		return "r.Ping()"
	case 1:
		return "op()"
	case 2:
		return "c.Op()"
	case 3:
		return fmt.Sprintf("x%d"+arguments, g.pick(g.functions), g.integer(), g.function1())
	case 4:
		return fmt.Sprintf("f%d"+arguments, g.pick(g.functions), g.integer(), g.function1())
	case 5:
		return fmt.Sprintf("c.M%d"+arguments, g.pick(g.functions), g.integer(), g.function1())
	case 6:
		return fmt.Sprintf("apply(%s, limit(%s))", g.function1(), g.integer())
	case 7:
		return "stub(" + g.integer() + ")"
	case 8:
		return `fmt.Errorf("%w", err)`
	case 9:
		return "errors.Join(err, errFinal)"
	case 10:
		return "ctx.Err()"
	case 11:
		return fmt.Sprintf("func() error { _, e := generic(%s, func() (string, error) { return r.Get(ctx, names[0]) }); return e }()", g.integer())
	case 12:
		return "c.Next.Op()"
	}
	return "func() error { _, e := r.Get(ctx, " + g.text1() + "); return e }()"
}

// function1 is a function that can be an operation.
func (g *generator) function1() string {
	return []string{
		"op", "r.Ping", "c.Op", "nil", "func() error { return op() }", "func() error { n++; return err }", "(&wrapper{remote: r}).Ping",
		"func() (e error) { defer func() { e = errors.Join(e, err) }(); return op() }", "func() error { return retry.Unrecoverable(op()) }",
	}[g.pick(9)]
}

func (g *generator) text1() string {
	return []string{`"a"`, "names[n]", "names[len(names)-1]", "fmt.Sprint(n)"}[g.pick(4)]
}

func (g *generator) integer() string {
	return []string{"3", "n", "n + 1", "n - 1", "c.Max", "min(n, 4)", "max(c.Max, 1)", "len(names)", "n * 2", "n / c.Max", "n << 1", "0", "-1"}[g.pick(13)]
}

func (g *generator) condition() string {
	return []string{
		"err == nil", "err != nil", "n > 0", "n < c.Max", "errors.Is(err, errFinal)", "r.Done()", "ctx.Err() == nil", "c == nil",
		"err == nil && n > 3", "err != nil || r.Done()", "!r.Done()", "n%2 == 0", "len(names) > n", "op != nil", "true",
	}[g.pick(15)]
}

func (g *generator) check() {
	if g.inLoop > 0 {
		g.line("if %s {", g.condition())
		g.line("\t%s", []string{"break", "continue", "return err", "return nil", "n--"}[g.pick(5)])
		g.line("}")
		return
	}
	g.line("if %s {", g.condition())
	g.line("\treturn err")
	g.line("}")
}

func (g *generator) wait() {
	g.line("%s", []string{
		"time.Sleep(time.Second)", "time.Sleep(c.Wait)", "<-time.After(time.Duration(n) * time.Millisecond)", "time.Sleep(c.Wait << n)",
	}[g.pick(4)])
}

func (g *generator) loop(format string, args ...any) {
	g.inLoop++
	g.block(format, args...)
	g.inLoop--
}

func (g *generator) countLoop() {
	v := fmt.Sprintf("i%d", g.depth)
	switch g.pick(6) {
	case 0:
		g.loop("for %s := 0; %s < %s; %s++", v, v, g.integer(), v)
	case 1:
		g.loop("for %s := %s; %s > 0; %s--", v, g.integer(), v, v)
	case 2:
		g.loop("for %s := range %s", v, g.integer())
	case 3:
		g.loop("for range %s", g.integer())
	case 4:
		g.loop("for %s := 1; %s <= %s && err != nil; %s *= 2", v, v, g.integer(), v)
	default:
		g.loop("for n = %s; n != %s; n++", g.integer(), g.integer())
	}
}

func (g *generator) conditionLoop() { g.loop("for %s", g.condition()) }

func (g *generator) endlessLoop() { g.loop("for") }

func (g *generator) rangeLoop() {
	switch g.pick(7) {
	case 0:
		g.loop("for range names")
	case 1:
		g.loop("for i, s := range names[:n]")
	case 2:
		g.loop("for _, d := range []time.Duration{time.Second, c.Wait, 0}")
	case 3:
		g.loop("for k, v := range map[string]error{names[0]: err}")
	case 4:
		g.loop("for e := range make(chan error)")
	case 5:
		g.loop("for s := range (&list[string]{head: names[0]}).each")
	default:
		g.loop("for i, b := range %q", "text")
	}
}

func (g *generator) ifElse() {
	g.line("if %s {", g.condition())
	g.body()
	g.line("} else {")
	g.body()
	g.line("}")
}

func (g *generator) switches() {
	g.line("switch %s {", []string{"n", "c.Max + n", "", "err"}[g.pick(4)])
	g.line("}")
	g.line("switch {")
	for range g.pick(3) {
		g.line("case %s:", g.condition())
		g.body()
		if g.pick(4) == 0 {
			g.line("\tfallthrough")
			g.line("case false:")
		}
	}
	g.line("default:")
	g.body()
	g.line("}")
}

func (g *generator) selects() {
	g.line("select {")
	g.line("case <-ctx.Done():")
	g.line("\treturn ctx.Err()")
	if g.pick(2) == 0 {
		g.line("case <-time.After(c.Wait):")
		g.body()
	}
	if g.pick(3) == 0 {
		g.line("default:")
		g.body()
	}
	g.line("}")
}

func (g *generator) literal() {
	if g.literals > 2 {
		g.call()
		return
	}
	v := fmt.Sprintf("lit%d", g.depth)
	g.line("%s := func() error {", v)
	g.inLiteral(g.body)
	g.line("\treturn err")
	g.line("}")
	g.line("%s", []string{"err = " + v + "()", "op = " + v, "c.Op = " + v, "defer " + v + "()", "go " + v + "()", "err = apply(" + v + ")"}[g.pick(6)])
}

// inLiteral writes what is inside of a function literal, where no loop is around.
func (g *generator) inLiteral(write func()) {
	loops := g.inLoop
	g.inLoop, g.literals = 0, g.literals+1
	write()
	g.inLoop, g.literals = loops, g.literals-1
}

func (g *generator) jump() {
	g.labels++
	label := fmt.Sprintf("again%d", g.labels)
	g.line("%s:", label)
	g.line("{")
	g.body()
	g.line("}")
	g.line("if %s {", g.condition())
	g.line("\tn++")
	g.line("\tgoto %s", label)
	g.line("}")
}

func (g *generator) labelled() {
	g.labels++
	label := fmt.Sprintf("loop%d", g.labels)
	g.line("%s:", label)
	g.inLoop++
	g.line("for {")
	g.body()
	g.line("\tif %s {", g.condition())
	g.line("\t\t%s %s", []string{"break", "continue"}[g.pick(2)], label)
	g.line("\t}")
	g.line("}")
	g.inLoop--
}

func (g *generator) defers() {
	g.line("defer func() {")
	g.line("\tif e := recover(); e != nil {")
	g.line("\t\terr = %s", g.operation())
	g.line("\t}")
	g.line("}()")
}

func (g *generator) change() {
	g.line("%s", []string{
		"n++", "n--", "n = " + g.integer(), "err = nil", "c = c.Next", "c.Max = " + g.integer(), "c = &config{Max: n, Op: op}",
		"names = names[1:]", "names = append(names, names...)", "op = r.Ping", "c.Wait *= 2", "*c = config{Max: 3}",
		"if c.Max == 0 { c.Max = 5 }", "tries = n", "n = tries", "r = &wrapper{remote: r, tries: n}", "ctx, _ = context.WithTimeout(ctx, c.Wait)", "n, err = 1, errFinal", "op, c.Op = c.Op, op",
	}[g.pick(19)])
}

func (g *generator) leave() {
	switch g.pick(3) {
	case 0:
		g.line("if %s {", g.condition())
		g.line("\treturn %s", g.operation())
		g.line("}")
	case 1:
		g.line("if n == 9 {")
		g.line("\tpanic(err)")
		g.line("}")
	default:
		g.line("if err = %s; err == nil {", g.operation())
		g.line("\treturn nil")
		g.line("}")
	}
}

func (g *generator) typeSwitch() {
	g.line("switch e := err.(type) {")
	g.line("case interface{ Timeout() bool }:")
	g.line("\t_ = e.Timeout()")
	g.body()
	g.line("case nil:")
	g.line("default:")
	g.body()
	g.line("}")
}

func (g *generator) goes() {
	g.line("go func() {")
	g.line("\t_ = %s", g.operation())
	g.line("}()")
}

// retryLoop is a retry as people write it, around some more.
func (g *generator) retryLoop() {
	v := fmt.Sprintf("attempt%d", g.depth)
	switch g.pick(4) {
	case 0:
		g.line("for %s := range %s {", v, g.integer())
	case 1:
		g.line("for %s := 1; %s <= %s; %s++ {", v, v, g.integer(), v)
	case 2:
		g.line("for %s := 0; ; %s++ {", v, v)
		g.line("\tif %s >= %s {", v, g.integer())
		g.line("\t\treturn fmt.Errorf(\"%%d attempts: %%w\", %s, err)", v)
		g.line("\t}")
	default:
		g.line("for %s := %s; %s > 0; %s-- {", v, g.integer(), v, v)
	}
	g.inLoop++
	g.line("\tif err = %s; %s {", g.operation(), []string{"err == nil", "err == nil", "err != nil", "!errors.Is(err, errFinal)"}[g.pick(4)])
	g.line("\t\t%s", []string{"break", "return nil", "return err", "continue"}[g.pick(4)])
	g.line("\t}")
	g.body()
	g.line("\ttime.Sleep(c.Wait << %s)", v)
	g.line("}")
	g.inLoop--
}

func (g *generator) attemptsOption() string {
	return []string{"retry.Attempts(3)", "retry.Attempts(uint(n))", "retry.Context(ctx)", "[]retry.Option{retry.Attempts(uint(tries))}..."}[g.pick(4)]
}

// library gives a function to a library.
func (g *generator) library() {
	if g.literals > 2 {
		g.call()
		return
	}
	g.line("err = retry.Do(func() error {")
	g.inLiteral(g.body)
	g.line("\treturn err")
	g.line("}, %s)", g.attemptsOption())
	if g.pick(2) == 0 {
		g.line("err = backoff.Retry(%s, %s)", g.function1(), []string{
			"policy", "backoff.WithMaxRetries(policy, uint64(n))", "backoff.NewExponentialBackOff()", "backoff.WithContext(backoff.WithMaxRetries(policy, 2), ctx)",
		}[g.pick(4)])
	}
}

func (g *generator) recursion() {
	g.line("if %s && n > 0 {", g.condition())
	g.line("\treturn f%d"+arguments, g.pick(g.functions), "n-1", g.function1())
	g.line("}")
}

// ownRecursion is a literal that calls itself.
func (g *generator) ownRecursion() {
	if g.literals > 2 {
		g.recursion()
		return
	}
	v, k := fmt.Sprintf("self%d", g.depth), fmt.Sprintf("k%d", g.depth)
	g.line("var %s func(%s int) error", v, k)
	g.line("%s = func(%s int) error {", v, k)
	g.inLiteral(g.body)
	g.line("\tif %s && %s > 0 {", g.condition(), k)
	g.line("\t\treturn %s(%s - 1)", v, k)
	g.line("\t}")
	g.line("\treturn err")
	g.line("}")
	g.line("err = %s(%s)", v, g.integer())
}

func (g *generator) methodValue() {
	v := fmt.Sprintf("bound%d", g.depth)
	g.line("%s := %s", v, []string{"r.Ping", "c.Next.Op", "(&wrapper{remote: r, tries: 3}).Ping", "ctx.Err"}[g.pick(4)])
	g.line("%s", []string{"err = " + v + "()", "op = " + v, "err = apply(" + v + ", limit(2))", "c.Op = " + v, "err = retry.Do(" + v + ")"}[g.pick(5)])
}

// iterator ranges over functions, and leaves the body in all ways.
func (g *generator) iterator() {
	switch g.pick(3) {
	case 0:
		g.loop("for _, err = range attempts(ctx, %s)", g.integer())
	case 1:
		g.line("for _, e := range attempts(ctx, %s) {", g.integer())
		g.line("\tif err = errors.Join(e, %s); err == nil {", g.operation())
		g.line("\t\t%s", []string{"break", "return nil", "continue"}[g.pick(3)])
		g.line("\t}")
		g.line("\tdefer r.Done()")
		g.line("}")
	default:
		g.loop("for range func(yield func() bool) { for n > 0 && yield() { n-- } }")
	}
}

// forward jumps over some code, which may not declare anything.
func (g *generator) forward() {
	g.labels++
	g.line("if %s {", g.condition())
	g.line("\tgoto over%d", g.labels)
	g.line("}")
	label := g.labels
	g.line("{")
	g.body()
	g.line("}")
	g.line("over%d:", label)
	g.line("n++")
}

// nestedLabels leaves two loops at once.
func (g *generator) nestedLabels() {
	g.labels++
	label := fmt.Sprintf("outer%d", g.labels)
	g.line("%s:", label)
	g.line("for range %s {", g.integer())
	g.line("\tfor range names {")
	g.line("\t\tif err = %s; %s {", g.operation(), g.condition())
	g.line("\t\t\t%s %s", []string{"break", "continue"}[g.pick(2)], label)
	g.line("\t\t}")
	g.inLoop++
	g.indent++
	g.body()
	g.indent--
	g.inLoop--
	g.line("\t}")
	g.line("}")
}

// outcomes tells the outcome by something else than an error.
func (g *generator) outcomes() {
	v := fmt.Sprintf("ok%d", g.depth)
	g.line("for %s := false; !%s; {", v, v)
	g.line("\t%s = r.Done()", v)
	g.inLoop++
	g.body()
	g.inLoop--
	g.line("}")
}

// timer waits by a timer in a loop.
func (g *generator) timer() {
	v := fmt.Sprintf("timer%d", g.depth)
	g.line("%s := time.NewTimer(c.Wait)", v)
	g.line("for err = %s; err != nil; err = %s {", g.operation(), g.operation())
	g.line("\tselect {")
	g.line("\tcase <-%s.C:", v)
	g.line("\t\t%s.Reset(c.Wait * 2)", v)
	g.line("\tcase <-ctx.Done():")
	g.line("\t\t%s", []string{"return ctx.Err()", "return err", "err = nil"}[g.pick(3)])
	g.line("\t}")
	g.line("}")
}

func (g *generator) genericHelper() {
	v := fmt.Sprintf("helper%d", g.depth)
	g.line("%s := &retrier[%s]{config: *c}", v, []string{"int", "*config", "list[string]"}[g.pick(3)])
	g.line("%s.Max = %s", v, g.integer())
	if g.pick(2) == 0 {
		g.line("%s.again = func(e error) bool { return %s }", v, g.condition())
	}
	g.line("%s.last, err = %s.Do(nil)", v, v)
	g.line("_, err = generic(%s, func() (error, error) { return err, %s })", g.integer(), g.operation())
}

func (g *generator) embedded() {
	g.line("r = struct{ remote }{&wrapper{remote: r, tries: %s}}", g.integer())
}
