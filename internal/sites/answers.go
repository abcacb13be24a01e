package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
)

// CasesAfter tells after which errors of call the function fn returns in a way that again accepts; nil if errors make no
// difference.
func CasesAfter(fn *ssa.Function, call *ssa.Call, values Evaluator, again func(Return) bool) fault.Cases {
	tests := fault.Tests(testsIn(fn, nil, values, 0))
	if tests == nil || len(fn.Blocks) > 200 {
		return nil
	}
	never := false
	cases := casesFor(tests, func(given fault.Set) fault.Answer {
		c := returnsAfter(fn, call, failed, values)
		c.trace(given)
		repeats := c.steps > maxReturnSteps
		for _, ret := range c.run() {
			repeats = repeats || again(ret)
		}
		never = never || !repeats
		return fault.AnswerOf(repeats || c.steps > maxReturnSteps)
	})
	if !never {
		return nil
	}
	return cases
}

// ComesBackAfter reports whether the site makes another attempt after call failed with some error.
func (s *Site) ComesBackAfter(call *ssa.Call, values Evaluator) bool {
	if s.region == nil {
		return s.Repeated[call]
	}
	m := memoryOf(s.Function)
	ways, _, complete := newWalker(s.region, call, failed, m, values).again(inputsOf(s.region, call, m))
	return !complete || len(rounds(ways)) > 0
}
