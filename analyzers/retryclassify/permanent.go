package retryclassify

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// manyAttempts is how many attempts make it worth telling that a failure stays.
const manyAttempts = 5

// checkPermanent reports a repetition that repeats whatever fails, often, although one failure of the operation is known to
// stay: it says so itself, or what fails depends on nothing that changes.
func checkPermanent(pass *rule.Pass, r *callgraph.Repetition) {
	if branch := decidesAboutWaitOnly(r); branch != nil && !r.TellsErrorsApart() {
		pass.Report("permanent", analysis.Diagnostic{
			Pos:     branch.Cond.Pos(),
			Message: "which failure it is only decides about the wait: those that aren't taken for passing ones are repeated, too, and at once",
		})
		return
	}
	if !makesMany(r.Count) || r.TellsErrorsApart() {
		return
	}
	if evidence := permanentFailure(r); evidence != "" {
		pass.Report("permanent", analysis.Diagnostic{
			Pos:     place(r),
			Message: fmt.Sprintf("every failure is repeated, %s: %s", often(r.Count), evidence),
		})
	}
}

func makesMany(c count.Count) bool {
	n, known := c.Value()
	return c.Kind == count.Unlimited || known && n >= manyAttempts
}

func often(c count.Count) string {
	if n, known := c.Value(); known {
		return fmt.Sprintf("up to %d times", n-1)
	}
	return "without a limit of their number"
}

// permanentFailure says which failure of the attempts stays, "" if none is known.
func permanentFailure(r *callgraph.Repetition) string {
	if parse := failingParse(r); parse != "" {
		return parse
	}
	if rejected := rejectedAnswer(r); rejected != "" {
		return rejected
	}
	if name := lastingFailure(r); name != "" {
		return fmt.Sprintf("also %s, which the next attempt meets again", short(name))
	}
	return ""
}

// lastingFailure names an error of the attempts that stays, by what is known of it or by what it is called.
func lastingFailure(r *callgraph.Repetition) string {
	for _, e := range r.Fails() {
		for part := range strings.FieldsSeq(string(e)) {
			if name := strings.TrimSuffix(strings.TrimPrefix(part, "="), "!"); catalog.Permanent(name) || lasting.MatchString(lastElement(name)) {
				return name
			}
		}
	}
	return ""
}

func lastElement(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// lasting is what errors are called that say that another attempt won't help.
var lasting = regexp.MustCompile(`(?i)invalid|malformed|unauthori[sz]ed|unauthenticated|forbidden|denied|notfound|notexist|norows|unsupported|badrequest|permanent|unrecoverable`)

// failingParse finds something that is parsed, so that its failure is one of the input, and becomes a failure of the attempt.
func failingParse(r *callgraph.Repetition) string {
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if ok && catalog.Parses(callgraph.CalleeName(&call.Call)) && failsByError(call) && r.FailureRepeats(step) {
			return fmt.Sprintf("also what %s can't read, which stays the same", callgraph.CalleeLabel(&call.Call))
		}
	}
	return ""
}

// rejectedAnswer finds an HTTP status that becomes a failure whatever it is, so that 400 and 404 are repeated as 503 is.
func rejectedAnswer(r *callgraph.Repetition) string {
	found := false
	for step := range r.Attempt() {
		test, status := statusOf(step.Instr)
		switch {
		case test == nil:
		case status >= 500 || status == 429 || status == 408 || status == 425 || status > 400 && status < 500:
			return "" // they are told apart
		case rejects(r, step, test, status):
			found = true
		}
	}
	if !found {
		return ""
	}
	return "also an answer such as 400 or 404, which stays the same"
}

func statusOf(instr ssa.Instruction) (*ssa.BinOp, int64) {
	v, ok := instr.(ssa.Value)
	if !ok {
		return nil, 0
	}
	return sites.StatusOf(v)
}

// rejects reports whether a test makes a failure of the attempt of all statuses but those of success.
func rejects(r *callgraph.Repetition, step callgraph.Step, test *ssa.BinOp, status int64) bool {
	refused := -1 // the side of a branch on which the status is none of success
	switch {
	case test.Op == token.NEQ && status < 300:
		refused = 0
	case test.Op == token.EQL && status < 300:
		refused = 1
	case (test.Op == token.GEQ || test.Op == token.GTR) && status >= 299 && status <= 400:
		refused = 0
	case (test.Op == token.LSS || test.Op == token.LEQ) && status >= 299 && status <= 400:
		refused = 1
	}
	if refused < 0 {
		return false
	}
	for _, ref := range *test.Referrers() {
		branch, ok := ref.(*ssa.If)
		if !ok {
			continue
		}
		side := branch.Block().Succs[refused]
		if len(step.Calls) == 0 && r.Site != nil {
			wanted := branch.Block().Succs[1-refused]
			return r.Site.Executes(side.Instrs[0]) && (status != 0 || !r.Site.Executes(wanted.Instrs[0]))
		}
		if status == 0 {
			return false
		}
		return fails(side, branch.Block()) && r.AttemptFails(step)
	}
	return false
}

// fails reports whether every way on from b returns an error that isn't nil.
func fails(b, from *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	failing := false
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			last := len(ret.Results) - 1
			if last < 0 || !typename.IsError(ret.Results[last].Type()) || isNil(ret.Results[last]) {
				return false
			}
			failing = true
		}
		work = append(work, b.Succs...)
	}
	return failing
}

// decidesAboutWaitOnly returns a branch that classifies the failure of an attempt and goes on either way: after a wait, or
// straight to the next attempt.
func decidesAboutWaitOnly(r *callgraph.Repetition) *ssa.If {
	if r.Site == nil || len(r.Site.Waiting) == 0 {
		return nil
	}
	for _, b := range r.Function.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !r.Site.Executes(branch) || !r.Site.Executes(b.Succs[0].Instrs[0]) || !r.Site.Executes(b.Succs[1].Instrs[0]) {
			continue
		}
		if _, isCall := branch.Cond.(*ssa.Call); isCall && r.Site.Inquire(branch.Cond).Kind &&
			waits(r, b.Succs[0]) && again(r, b.Succs[1]) {
			return branch
		}
	}
	return nil
}

// waits reports whether ways lead from b to the next attempt, and all of them through a wait.
func waits(r *callgraph.Repetition, b *ssa.BasicBlock) bool { return !again(r, b) && leads(r, b, nil) }

// again reports whether some way leads from b to the next attempt without a wait.
func again(r *callgraph.Repetition, b *ssa.BasicBlock) bool { return leads(r, b, r.Site.Waiting) }

// leads reports whether some way leads from b to the next attempt, past none of the instructions.
func leads(r *callgraph.Repetition, b *ssa.BasicBlock, without []ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] || !r.Site.Executes(b.Instrs[0]) {
			return false
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if instr == ssa.Instruction(r.Site.Operation) {
				return true
			}
			if slices.Contains(without, instr) {
				return false
			}
		}
		return slices.ContainsFunc(b.Succs, visit)
	}
	return visit(b)
}
