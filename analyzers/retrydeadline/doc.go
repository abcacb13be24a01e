// Package retrydeadline reports retries that ignore the caller's deadline or cancellation.
//
// # retrydeadline: report retries that ignore the caller's deadline or cancellation
//
// A caller that has given up doesn't come back for the answer. What a retry does for it from then on is load without use, and
// a shutdown that waits for it takes as long as its schedule:
//
//	for attempt := range 5 {
//		if err = c.send(ctx, m); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second << attempt) // ctx may be done by now: nobody finds out for up to 16 s
//	}
//
// The analyzer has these categories.
//
//   - sleep: the wait between attempts doesn't watch the context in scope: time.Sleep, a receive from a timer alone, a clock or
//     helper that sleeps, also in the function that classifies the error.
//   - nocontext: a retry library, a helper or a call of an attempt isn't given the context, though it or a function beside it
//     would take it.
//   - detached: an attempt works under context.Background, TODO or WithoutCancel, also a few calls further down.
//   - ignoresdone: the loop makes another attempt after it has learnt that its context is done, such as by a break that leaves
//     the select only; or it never asks, and has no other end.
//   - overrun: the time of all attempts is too short for their number, limits and waits, as far as these are constant. The time is
//     that of a context, of a client whose transport repeats, of a handler, or a limit that the loop or the library sets itself.
//   - defercancel: the cancel function of each attempt is deferred in the loop, so that contexts and timers pile up.
//
// A context is in scope if it is a parameter, also of a function around, is carried by a request or stream that is one, is a
// field of the receiver, or has a deadline and is what the attempts work with.
//
// # What to write instead
//
//	select {
//	case <-ctx.Done():
//		return ctx.Err()
//	case <-time.After(time.Second << attempt):
//	}
//
// # What is not reported
//
// Waits of at most 50 ms; loops over items, ticks and polls; work in a goroutine that doesn't use the context; what is done
// because something has failed, such as a rollback, under a context of its own; a context whose cancel function something else
// is given.
//
// # How to opt out
//
//	//retrylint:ignore retrydeadline.sleep <reason>
//
// at the end of the line or on the line above.
package retrydeadline
