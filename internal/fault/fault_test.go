package fault_test

import (
	"testing"

	"github.com/retrylint/retrylint/internal/fault"
)

var (
	busy    = fault.Sentinel("db.ErrBusy")
	wrapper = fault.Typed("*fmt.wrapError")
	limit   = fault.Typed("*db.LimitError")
)

func TestAsk(t *testing.T) {
	for _, c := range []struct {
		err        fault.Error
		test       fault.Test
		yes, known bool
	}{
		{busy, fault.Is("db.ErrBusy"), true, true},
		{busy, fault.Is("db.ErrGone"), false, true},
		{busy, fault.Is("store.ErrBusy"), false, false}, // handed on, perhaps
		{wrapper.Wrapping(busy), fault.Is("db.ErrBusy"), true, true},
		{wrapper.Wrapping(busy), fault.Same("db.ErrBusy"), false, true},
		{wrapper.Wrapping(fault.Anything), fault.Is("db.ErrBusy"), false, false},
		{wrapper.Wrapping(fault.Anything), fault.Same("db.ErrBusy"), false, true},
		{limit, fault.As("*db.LimitError"), true, true},
		{limit, fault.As("*db.OtherError"), false, true},
		{limit, fault.Is("db.ErrBusy"), false, false}, // may be a value of that type
		{busy, fault.As("*db.LimitError"), false, false},
		{busy.Text(), fault.As("*db.LimitError"), false, true},
		{busy.Text(), fault.Is("db.ErrBusy"), true, true},
		{busy, fault.As("*net.OpError"), false, true},
		{fault.Result(2), fault.Same("db.ErrBusy"), false, false},
	} {
		if yes, known := c.err.Ask(c.test); yes != c.yes || known != c.known {
			t.Errorf("%q asked %q: %v %v, want %v %v", c.err, c.test, yes, known, c.yes, c.known)
		}
	}
}

func TestCases(t *testing.T) {
	cases := fault.Cases{{fault.Is("db.ErrBusy"), fault.Yes}, {fault.Is("db.ErrGone"), fault.Unsure}, {fault.Else, fault.No}}
	for set, want := range map[fault.Set]fault.Answer{
		"":                                     fault.Unsure,
		fault.Of(busy):                         fault.Yes,
		fault.Of(fault.Sentinel("db.ErrGone")): fault.Unsure,
		fault.Of(fault.Sentinel("db.ErrFull")): fault.No,
		fault.Of(busy, fault.Sentinel("db.ErrFull")):                   fault.Unsure,
		fault.Of(fault.Sentinel("db.ErrFull"), fault.Typed("*x.Full")): fault.No,
	} {
		if got := cases.Answer(set); got != want {
			t.Errorf("%q: %v, want %v", set, got, want)
		}
	}
}

func TestWith(t *testing.T) {
	set := fault.Of(wrapper.Wrapping(fault.Result(1)))
	two := func(string) fault.Set { return fault.Of(busy, limit) }
	if got, want := set.With(two), fault.Of(wrapper.Wrapping(busy), wrapper.Wrapping(limit)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := set.With(func(string) fault.Set { return "" }), fault.Of(wrapper.Wrapping(fault.Anything)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
