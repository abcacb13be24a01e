// Package retrybudget reports budgets that don't bound.
//
// # retrybudget: report retry budgets that don't bound
//
// A limit of attempts for each call multiplies what a dependency gets while it fails. A budget that calls share is what removes
// the factor: retries are admitted only as long as they are a small share of the traffic. One that retries refill, that
// nobody caps, or that each request has for itself is worse than none, because people believe in it.
//
// A budget is recognised by what code does: a number that outlives the call, which a branch or function compares before
// another attempt, and refuses. What makes it refuse earlier is a charge, what makes it admit more a refill. Categories:
//
//   - feedback: each attempt refills the budget, whatever comes of it, or each one that fails; or the base of which retries may
//     be a share counts retries, too.
//   - uncapped: a refill without a maximum, so that a quiet time saves up for a burst of any size.
//   - racy: the check and the charge are two steps between which other goroutines may come.
//   - scope: the budget, or a limiter used as one, is made for each call, so that each has an allowance of its own.
//   - order: the budget is charged before the failure is classified or the deadline checked.
//   - attemptsonly (not reported unless enabled): comments say that a dependency is shared and busy, and it is retried under
//     a per-call limit only.
//
// The analyzer reports, for instance:
//
//	for attempt := range 3 {
//		budget.Deposit() // once for each attempt: a retry that costs ten deposits has paid for a tenth of the next one
//		if err = c.send(ctx, req); err == nil || !retryable(err) || !budget.Withdraw() {
//			return err
//		}
//		...
//	}
//
// # What to write instead
//
// Refill in one of three ways: once for each original request, before the loop; on success, while each failure is charged; or give
// back at most what a retry cost when that retry succeeded. Limit the balance, check and charge in one step, and let all
// callers of a dependency share one budget. Ask it last: is the failure retryable, is there time left, does the budget
// allow it, then wait.
//
// # What is not reported
//
// A cap of how many retries are under way, which is charged and given back. Objects that count the attempts of one call. A
// budget for each tenant that is kept in a map.
//
// # How to opt out
//
//	//retrylint:ignore retrybudget.scope <reason>
//
// at the end of the line or on the line above.
package retrybudget
