package forms

import (
	"context"
	"errors"
	"time"
)

func jump(r remote) error {
	n := 0
again: // site goto retry 3
	err := r.Ping()
	if err != nil && n < 2 {
		n++
		pause()
		goto again
	}
	return err
}

func labelled(ctx context.Context, r remote) (it item, err error) {
attempts:
	for i := 0; i < 3; i++ { // site loop retry 3
		it, err = r.Fetch(ctx, "a")
		switch {
		case err == nil:
			return it, nil
		case errors.Is(err, errOther):
			break attempts
		default:
			pause()
			continue attempts
		}
	}
	return it, err
}

func recursive(ctx context.Context, r remote, left int) error { // site recursion retry left + 1
	err := r.Put(ctx, item{})
	if err == nil || left == 0 {
		return err
	}
	pause()
	return recursive(ctx, r, left-1)
}

func recursiveUp(ctx context.Context, r remote, attempt int) (item, error) { // site recursion retry 5 - attempt
	it, err := r.Fetch(ctx, "a")
	if err != nil && attempt < 4 {
		time.Sleep(time.Second)
		return recursiveUp(ctx, r, attempt+1)
	}
	return it, err
}

func secondAttempt(ctx context.Context, r remote) (item, error) {
	it, err := r.Fetch(ctx, "a") // site straight retry 2
	if err != nil {
		time.Sleep(time.Second)
		it, err = r.Fetch(ctx, "a")
	}
	return it, err
}

// Two independent operations, one after the other, each on its own.
func bothOrNothing(ctx context.Context, r remote) error {
	if err := r.Put(ctx, item{id: "a"}); err != nil { // no site
		return err
	}
	pause()
	return r.Put(ctx, item{id: "a"})
}

// Another operation after a failure is a fallback.
func fallback(ctx context.Context, r remote) (item, error) {
	it, err := r.Fetch(ctx, "a") // no site
	if err != nil {
		pause()
		return r.Fetch(ctx, "b")
	}
	return it, err
}

// A walk through a tree isn't a retry, though it counts its depth.
func walkTree(ctx context.Context, r remote, id string, depth int) error { // no site
	it, err := r.Fetch(ctx, id)
	if err != nil {
		return err
	}
	if depth == 0 {
		return nil
	}
	return walkTree(ctx, r, it.state, depth-1)
}

type node struct {
	id   string
	kids []*node
}

// A walk that goes on after errors.
func visit(ctx context.Context, r remote, n *node, depth int) error { // no site
	err := r.Put(ctx, item{id: n.id})
	if err != nil && depth > 3 {
		return err
	}
	for _, kid := range n.kids {
		if err := visit(ctx, r, kid, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func secondAttemptOnKind(ctx context.Context, r remote) error {
	err := r.Put(ctx, item{id: "a"}) // site straight retry 2
	if errors.Is(err, errBusy) {
		pause()
		return r.Put(ctx, item{id: "a"})
	}
	return err
}

func secondAttemptLiteral(ctx context.Context, r remote) error {
	err := r.Put(ctx, item{id: "a"}) // site straight retry 2
	if err != nil {
		pause()
		err = r.Put(ctx, item{id: "a"})
	}
	return err
}

func secondAttemptPlain(r remote) error {
	err := r.Ping() // site straight retry 2
	if errors.Is(err, errBusy) {
		pause()
		return r.Ping()
	}
	return err
}

type tokens interface {
	Token() (string, error)
}

func refreshToken(ctx context.Context, r remote, t tokens) (item, error) {
	it, err := r.Fetch(ctx, "a") // site straight retry 2
	if errors.Is(err, errBusy) {
		if _, err := t.Token(); err != nil {
			return it, err
		}
		time.Sleep(time.Second)
		return r.Fetch(ctx, "a")
	}
	return it, err
}
