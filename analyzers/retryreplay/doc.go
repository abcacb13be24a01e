// Package retryreplay reports what one attempt leaves behind for the next.
//
// # retryreplay: report attempts that don't begin where the first one did
//
// The second attempt runs the same code as the first, but not in the same world: readers have been read, buffers written to,
// transactions aborted. What it sends then is empty, doubled or refused, and only after a failure, so that tests don't see it.
//
// The analyzer looks at what an attempt uses that was there before it began:
//
//	func (s *Store) Put(ctx context.Context, name string, r io.Reader) error {
//		return s.again(ctx, func() error {
//			return s.bucket.Put(ctx, name, r) // body: the second attempt stores an empty object
//		})
//	}
//
// body: a reader, or the body of a request, is read by the first attempt and given to the next as it is. net/http does not
// rewind the body of a request that the caller sends again, though GetBody is set.
//
// response: a response, or the rows of a query, of a failed attempt is left open: its connection can't be used again. A close
// that is deferred in a loop comes when the function returns, too late for the next attempt.
//
// state: an attempt adds to a slice, a sum, a buffer, a hash or a file that was made before, and what a failed attempt has
// added is still there; or it uses a transaction that the failure has ended.
//
// # What to write instead
//
// Make it inside of the attempt: bytes.NewReader(data), a new request, a new buffer, the transaction as a whole. Where there
// is one reader only, seek to where it began, or read it into memory first. Close the response before the next attempt.
//
// # What is not reported
//
// Readers that the attempt rewinds, resets or replaces; requests without a body, or whose method is asked for; readers given to
// a function that wants an io.ReadSeeker, which rewinds by itself; what is added when nothing can fail any more; collected
// errors and clean-ups; attempts that go on where the last one stopped, by a position that they keep; effects in the function of
// a transaction that a client runs again (retryidempotency).
//
// # How to opt out
//
//	//retrylint:ignore retryreplay.body <reason>
//
// at the end of the line or on the line above.
package retryreplay
