package retryidempotency

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

func (c *closure) resetting(v variable, t types.Type) []analysis.SuggestedFix { return nil }

func hoist(pass *analysis.Pass, a *attempt, call ssa.CallInstruction) []analysis.SuggestedFix {
	return nil
}
