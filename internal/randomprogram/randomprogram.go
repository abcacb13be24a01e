// Package randomprogram makes small random Go programs for tests: loops, errors, closures, generics, jumps. They mean
// nothing; an analyzer must come through them all the same, twice with the same result.
//
// A program is made of bytes, each of which is a decision, so that a fuzzer can work on it. Most programs type-check; those
// that don't (a goto over a declaration) are to be discarded.
package randomprogram

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source returns the program that seed makes.
func Source(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	decisions := make([]byte, 4096)
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
	"time"
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

func (l *list[T]) each(f func(T) bool) {
	for ; l != nil; l = l.tail {
		if !f(l.head) {
			return
		}
	}
}

type option func(*config)

func limit(n int) option { return func(c *config) { c.Max = n } }

func generic[T any, N number](n N, op func() (T, error)) (v T, err error) {
	for i := N(0); i < n; i++ {
		if v, err = op(); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

func apply(op func() error, opts ...option) (err error) {
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

var errFinal = errors.New("final")

func stub(n int) error

`

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
}

// function writes f, which is random, and its relatives: M, a method, and x, a function that fails.
func (g *generator) function(i int) {
	random, plain := "func f%d"+signature, "func (c *config) M%d"+strings.Replace(signature, "c *config", "_ *config", 1)
	if g.pick(3) == 0 {
		random, plain = plain, random
	}
	g.line(random+" {", i)
	g.left = 5 + g.pick(10)
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
	}
	statements[g.pick(len(statements))]()
}

func (g *generator) call() { g.line("err = %s", g.operation()) }

// operation is an expression that yields an error.
func (g *generator) operation() string {
	switch g.pick(14) {
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
	return []string{"op", "r.Ping", "c.Op", "nil", "func() error { return op() }", "func() error { n++; return err }"}[g.pick(6)]
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
	loops := g.inLoop
	g.inLoop, g.literals = 0, g.literals+1
	g.line("%s := func() error {", v)
	g.body()
	g.line("\treturn err")
	g.line("}")
	g.inLoop, g.literals = loops, g.literals-1
	g.line("%s", []string{"err = " + v + "()", "op = " + v, "c.Op = " + v, "defer " + v + "()", "go " + v + "()", "err = apply(" + v + ")"}[g.pick(6)])
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
		"if c.Max == 0 { c.Max = 5 }", "ctx, _ = context.WithTimeout(ctx, c.Wait)", "n, err = 1, errFinal", "op, c.Op = c.Op, op",
	}[g.pick(16)])
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
