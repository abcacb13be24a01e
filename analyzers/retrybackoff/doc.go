// Package retrybackoff reports what is wrong with the waits between attempts.
//
// # retrybackoff: report waits that don't do what they are for
//
// A wait between two attempts gives a dependency the time to recover, and spreads its callers. The analyzer follows what
// each wait waits for back to constants, attempt numbers, earlier delays and randomness, through functions of the package,
// struct fields and timers, and reports:
//
//   - nodelay: at least two repetitions of a remote operation, and no wait between them
//   - nojitter: delays without a random part at a client, database or RPC that is proven to be one: callers that fail
//     together come back together
//   - uncapped: a delay that grows without a maximum though nothing limits the attempts; or a shift or product that
//     overflows before the maximum is looked at, and makes the delay zero or negative
//   - sleepafterlast: a wait that comes after the last attempt, too
//   - backoffreset: a delay or backoff object that begins anew in each round, so that it never grows; or one that remembers
//     what was asked of it, in a variable that all calls share
//
// For example
//
//	for attempt := range 500 {
//		delay := min(base<<attempt, most) // zero from the 57th attempt on: no wait at all
//
// # What to write instead
//
//	delay := base
//	for attempt := 1; ; attempt++ {
//		err := client.Send(ctx, m)
//		if err == nil || attempt == most {
//			return err
//		}
//		if err := sleep(ctx, delay/2+rand.N(delay)); err != nil {
//			return err
//		}
//		delay = min(2*delay, longest)
//	}
//
// A fix leaves the loop before the wait that follows the last attempt, where the loop's head shows which one that is.
//
// # What is not reported
//
// Delays that are asked of something which isn't looked into, or that the server tells; waits before the attempt, waits that
// the last attempt doesn't come by, and those that a different last attempt follows; growth that the number of attempts
// limits; polls, tickers, daemons, and conflict loops (compare-and-swap); files and other local operations.
//
// # How to opt out
//
//	//retrylint:ignore retrybackoff.nojitter <reason>
//
// at the end of the line or on the line above.
package retrybackoff
