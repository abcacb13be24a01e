// Package retrybound reports retries without an end.
//
// # retrybound: report retries that nothing ends
//
// A failure that doesn't pass turns a retry without a bound into a hang: the caller never hears of it, its goroutine, its
// locks and its memory stay, and the dependency is asked for ever.
//
// The analyzer reports two kinds. unbounded: while the operation fails, neither a number of attempts, nor a time limit, nor
// a context, nor a signal ends the loop, the recursion or the library's call:
//
//	for err != nil {
//		time.Sleep(time.Second)
//		page, err = store.List(marker)
//	}
//
// counterreset: something is there to end the attempts, and can't. A counter is declared in the loop, set back in each
// round, compared in the wrong direction, or advanced where a failure doesn't come by; a clock starts anew in each round; a
// function that calls itself hands its counter on as it is:
//
//	for {
//		tries := 0
//		if err := send(m); err == nil || tries >= most {
//			return err
//		}
//		tries++
//	}
//
// # What to write instead
//
// Count, or take a context and leave when it is done. A counter belongs above the loop; where it is declared in the loop, a
// fix moves it there.
//
// # What is not reported
//
// A loop that ends when its context is done, with or without a deadline; one that asks something which isn't looked into, or
// a variable that others may set, whether to go on; one that is given a context and repeats only failures other than the
// context's. Daemons that connect again for as long as they live, polls, and conflict loops (compare-and-swap) aren't
// retries of that kind.
//
// # How to opt out
//
//	//retrylint:ignore retrybound.unbounded <reason>
//
// at the end of the line or on the line above.
package retrybound
