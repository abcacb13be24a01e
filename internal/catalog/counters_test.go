package catalog

import (
	"strings"
	"testing"
)

func TestCountersAreValid(t *testing.T) {
	c, err := parseCounters(countersData)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if Counts("(*sync/atomic.Int64).CompareAndSwap") != "compare-and-swap" || Counts("sync/atomic.AddInt32") != "add" || !AtomicType("sync/atomic.Int64") {
		t.Error("atomic numbers aren't known")
	}
	if err := (&Counters{Functions: []Doing{{Does: "guess", Names: []string{"a.B"}}}}).Validate(); err == nil || !strings.Contains(err.Error(), "guess") {
		t.Errorf("got %v", err)
	}
}
