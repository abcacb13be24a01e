package retryidempotency

import (
	"slices"
	"testing"
)

// tickets is a file with a service Office: method Book of unknown level, Hold of level IDEMPOTENT, Count of NO_SIDE_EFFECTS, and See
// whose level is set twice.
const tickets = "\n\x01t2\x40" +
	"\n\x06Office" +
	"\x12\x06\n\x04Book" +
	"\x12\x0b\n\x04Hold\"\x03\x90\x02\x02" +
	"\x12\x0c\n\x05Count\"\x03\x90\x02\x01" +
	"\x12\x14\n\x03See\"\x06\x90\x02\x01\x90\x02\x00\x1d\x01\x02\x03\x04"

func TestRepeatableMethods(t *testing.T) {
	want := []serviceMethodName{{"Office", "Hold"}, {"Office", "Count"}}
	descriptor := []byte(tickets)
	descriptor[4] = byte(len(descriptor) - 5)
	if got := repeatableMethods(descriptor); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for n := range descriptor {
		repeatableMethods(descriptor[:n]) // must not panic
	}
	if got := repeatableMethods(append(descriptor, 0x7f)); got != nil {
		t.Errorf("of what can't be read: %v", got)
	}
}

func FuzzRepeatableMethods(f *testing.F) {
	f.Add([]byte(tickets))
	f.Fuzz(func(_ *testing.T, descriptor []byte) { repeatableMethods(descriptor) })
}

func TestGoName(t *testing.T) {
	for name, want := range map[string]string{"hall_keeper": "HallKeeper", "startCount": "StartCount", "V1_Office": "V1_Office", "office2go": "Office2Go"} {
		if got := goName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
