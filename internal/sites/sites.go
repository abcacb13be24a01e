// Package sites recognises places in a function that execute an operation again after it failed.
//
// It works on SSA and by role, not by name. A loop, a jump backwards or a recursion repeats an operation if, supposing that
// the operation fails, control can come back to it, and, supposing that nothing fails, it can't: the success side leaves.
// The operation must be the same one: its inputs, other than the attempt number, a delay, an error or a context, don't change
// on the way. Loops over items, pages, streams and queues fail the one test or the other. Where an outcome is told by a status
// rather than an error, a branch on that status takes the place of the error.
//
// How often the operation is executed is found by executing the loop on abstract values (attempts.go).
//
// What is recognised holds modulo the callee: an operation that changes its own inputs through memory looks like the same
// operation each time.
package sites

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/value"
)

// Role is what a loop is for.
type Role string

// The roles of RULES: only Retry multiplies.
const (
	Retry     Role = "retry"
	Poll      Role = "poll"
	CAS       Role = "cas"
	Item      Role = "item"
	Page      Role = "page"
	Stream    Role = "stream"
	Failover  Role = "failover"
	Worker    Role = "worker"
	Tick      Role = "tick"
	Reconnect Role = "reconnect"
	Other     Role = "other"
)

// Kind is the form of a site.
type Kind string

// The forms of sites within one function. Calls of helpers, libraries and clients are found by their callees' summaries.
const (
	Loop      Kind = "loop"
	Goto      Kind = "goto"
	Recursion Kind = "recursion"
	Straight  Kind = "straight"
)

// A Site is a place in a function that may execute operations again.
type Site struct {
	Kind      Kind
	Role      Role
	Function  *ssa.Function
	Pos       token.Pos // of the loop, label or call
	Operation ssa.CallInstruction
	// Repeated are the calls that are executed again after they fail; the operation is the first of them.
	Repeated map[ssa.Instruction]bool
	// Attempts is the number of total attempts: unknown if looking for it was given up. Unlimited sites have none.
	Attempts  value.Term
	Unlimited bool
	// Bounded says what ends the attempts beside success: counter, elapsed, waiter, context, signal, iterator, or nothing.
	Bounded string
	// Waiter is the object that may refuse to wait for another attempt, if Bounded says so.
	Waiter ssa.Value
	// Waits tells whether there is a wait between attempts. Waiting are the instructions of the function that wait after an
	// attempt has failed and before the next one: sleeps, receives, selects, calls of functions that do so.
	Waits   bool
	Waiting []ssa.Instruction
	// Again says how the operation's boolean result decides, if one does: true, it asks for another attempt; false, it says
	// that it isn't done.
	Again string
	// AfterSuccess is set if an attempt that succeeded is followed by another one, all the same.
	AfterSuccess bool
	// Gate is the call of a function value, a classifier that is given; GateEnds tells what of it ends the repetitions.
	Gate     *ssa.Call
	GateEnds GateEnds
	// Context tells what the region does with a context: watched, given to the operation only, ignored, or none in scope.
	Context string
	// Counter is the variable behind a pointer that counts the attempts, if others may count with it.
	Counter ssa.Value
	// Iterator is the call that decides in the loop's condition, if a library's iterator does.
	Iterator *ssa.Call

	region  *region
	outcome outcome // that sends control round
	boolean bool    // the operation reports it by a boolean result
}

// Holds reports whether instr is inside of the repeated region.
func (s *Site) Holds(instr ssa.Instruction) bool {
	return s.region != nil && s.region.blocks[instr.Block()]
}

// Executes reports whether an attempt of the site may execute instr: it is inside of the region or, where there is none, one of
// the two attempts.
func (s *Site) Executes(instr ssa.Instruction) bool { return s.Holds(instr) || s.Repeated[instr] }

// Size orders nested sites: an outer one is larger.
func (s *Site) Size() int {
	if s.region == nil {
		return 0
	}
	return len(s.region.blocks)
}

// Evaluator answers what lies outside of a region.
type Evaluator interface {
	// Term describes a value in the terms of its function.
	Term(v ssa.Value) value.Term
	// Initial describes what a phi at the head of a loop is when the loop begins.
	Initial(phi *ssa.Phi) value.Term
	// Until describes how often a policy is asked until it says stop: unknown if the call asks none.
	Until(a Ask) value.Term
	// Waits reports whether instr waits for time to pass.
	Waits(instr ssa.Instruction) bool
	// Iterator reports whether call asks a library's retry iterator whether to go on.
	Iterator(call *ssa.Call) bool
	// Local reports whether call does something that can't fail for the reasons retries are for: reading an input that
	// moves on, atomic operations, formatting.
	Local(call ssa.CallInstruction) bool
	// Sentinel describes the error that a package variable holds.
	Sentinel(g *ssa.Global) fault.Error
	// Failures describes what a call returns if it fails.
	Failures(call *ssa.Call) fault.Set
	// Cases tells what a function of another package answers about an error.
	Cases(fn *ssa.Function) fault.Cases
}
