// Package retryoutcome reports retries whose caller doesn't learn that they have failed.
//
// # retryoutcome: report failures that are lost after the last attempt
//
// A retry that gives up has one thing left to do: to say so. The way out of the loop behind the last attempt is the one that
// no test takes, and so it is where a shadowed variable, a wrong one, or a plain nil stays unseen.
//
// The analyzer follows the ways on which the last attempt has failed to the return statement, and reports what arrives there:
//
//	func (c *Client) Store(ctx context.Context, b Block) (err error) {
//		for range 3 {
//			if err := c.put(ctx, b); err == nil { // := declares another err
//				return nil
//			}
//		}
//		return err // success: nil, the block isn't stored
//	}
//
// success: nil is returned as the error after the attempts are used up: the named or outer variable that nobody assigned to,
// the result of a call before the loop, or ctx.Err() of a context that isn't done. Also an operation, given to a helper or a
// library, that returns nil where it has just found that its call failed.
//
// lost: another error is returned, a fixed one or a new text, and the last attempt's error isn't in it. The caller can't tell a
// refused connection from a wrong password, and neither can who reads the log.
//
// neverruns: a setting of a library, 0 attempts mostly, under which the operation isn't executed at all and the call returns nil.
//
// # What to write instead
//
// Keep the last error in a variable that outlives the loop, and wrap it:
//
//	var last error
//	for range 3 {
//		if last = c.put(ctx, b); last == nil {
//			return nil
//		}
//	}
//	return fmt.Errorf("store block %s: %w", b.ID, last)
//
// # What is not reported
//
// Functions without an error result; a false beside the nil; an explicit nil after a log line that says that the attempts
// were given up; errors that are kept in a field, a list or a channel; another operation that is tried in the end; the error of
// a context that was found to be done; an answer to a certain kind of failure, as errors.Is finds it.
//
// # How to opt out
//
//	//retrylint:ignore retryoutcome.lost <reason>
//
// at the end of the line or on the line above.
package retryoutcome
