// Package retryidempotency reports writes that a retry can execute twice.
//
// # retryidempotency: report writes that a retry can execute twice
//
// When an answer is lost, the request may have been executed. Whoever repeats it then books two seats, charges a card twice
// or adds the points of one purchase two times, unless the other side can tell that both attempts are one request.
//
// The analyzer reports three things.
//
// newkey: the idempotency key, request id or client token is made anew for each attempt, so that the other side takes them for
// different requests, although it would have been able to tell:
//
//	for range 3 {
//		req.Header.Set("Idempotency-Key", uuid.NewString()) // one key for each attempt
//		if err = c.send(req); err == nil {
//			return nil
//		}
//	}
//
// Keys are followed through variables, parameters, fields, function values, helpers, input builders and transports below the
// one that repeats, from where they are made to a header, metadata, field, option, parameter or column that carries a key. What
// functions in other packages of the workspace make is known: a key, or the request that carries one.
//
// nokey: a write that isn't idempotent (POST and PATCH, INSERT without ON CONFLICT, SET x = x + 1, methods of services that
// create, counters, messages, mail, payments) is repeated after failures that leave open whether it was done, and no key,
// precondition or check for duplicates is in sight. The write may be made by a function in another package of the workspace. What
// the option idempotency_level says of a method in its .proto file comes before what its name says.
//
// closureeffect: a function that is run again when its transaction conflicts has an effect that isn't undone with the
// transaction: it appends to a captured slice, adds to a captured counter or map, sends a message or an HTTP request.
//
// # What to write instead
//
// Make the key before the first attempt, once for each operation, or derive it from what the operation is about:
//
//	key := uuid.NewString()
//	for range 3 {
//		req.Header.Set("Idempotency-Key", key)
//
// Let the other side find duplicates: a unique column with ON CONFLICT DO NOTHING, a precondition such as If-Match, a version.
// Without that, repeat only what was certainly not executed: refused connections, 429, pgconn.SafeToRetry. In transactions,
// empty what is captured at the top of the function, or assign it at the end; send after the commit.
//
// # What is not reported
//
// Fresh values that tell attempts apart on purpose (X-Attempt-Id, trace ids); keys that the client makes once for all attempts of
// a call; one key for each item of a loop that isn't a retry; writes of unknown effect, such as methods of an interface of the
// project; sites that repeat after failures of the project's own making; captured variables that are assigned and not added to;
// errors that are collected, and counters of the attempts.
//
// # How to opt out
//
//	//retrylint:ignore retryidempotency.nokey <reason>
//
// at the end of the line or on the line above.
package retryidempotency
