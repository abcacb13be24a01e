// Package retryclassify reports failures that a repetition can't cure.
//
// # retryclassify: report repetitions that don't tell curable failures from others
//
// A second attempt helps against a failure that passes. One that was rejected, not found, malformed or cancelled fails again:
// each attempt costs a wait, load on the dependency, and time that the caller doesn't have. And a classification that can't
// match stops the attempts that would have helped.
//
// Four categories:
//
//   - wrongcheck: the classification never matches or is inverted. A comparison or type assertion for an error that arrives
//     wrapped; errors.As for a value where pointers are returned; a response asked for its status though it is nil if there is
//     an error; client.IgnoreNotFound(err) != nil that returns nil; a loop that goes round again after a success.
//   - contexterror: the attempts run under the caller's context, nothing watches it, and its errors are repeated like others.
//   - permanent: every failure is repeated, five times or more, and one of them is known to stay: 4xx answers that become
//     errors, input that can't be parsed, sql.ErrNoRows, an error whose name says so.
//   - retryafter (not reported unless enabled): a loop that looks for 429 itself and never reads Retry-After.
//
// The analyzer reports, for instance:
//
//	for attempt := range 5 {
//		if err = publish(ctx, event); err == nil {
//			return nil
//		}
//		if err != ErrBusy { // publish returns fmt.Errorf("...: %w", ErrBusy): never equal
//			return err
//		}
//		...
//	}
//
// # What to write instead
//
// Ask with errors.Is and errors.As, and for the type that is returned. Decide first whether the failure can pass, then
// whether there is time left, and only then wait. Give up on what the server rejects, and on the errors of the caller's context:
//
//	if ctx.Err() != nil || !errors.Is(err, ErrBusy) {
//		return err
//	}
//
// # What is not reported
//
// Tests of errors of which some way returns the one that is meant as it is; a site that looks at the error in any way, for
// permanent; few attempts; a site whose wait or loop watches the context, for contexterror.
//
// # How to opt out
//
//	//retrylint:ignore retryclassify.permanent <reason>
//
// at the end of the line or on the line above.
package retryclassify
