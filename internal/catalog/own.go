package catalog

import (
	"slices"
	"sync"
	"sync/atomic"
)

// added holds libraries that a project describes in its configuration, by root.
var added sync.Map

// Add makes l speak for the packages at root and below, before the catalogue's own files. It is partial: functions that it
// doesn't list are looked into as if it weren't there.
func Add(root string, l *Library) {
	l.root, l.Partial = root, true
	added.Store(root, l)
}

// Forget takes back what Add did.
func Forget(root string) { added.Delete(root) }

// withOwn is the knowledge of effects together with what a project adds, nil if it adds nothing.
var withOwn atomic.Pointer[Effects]

// AddEffects adds writes and names of keys to what is known of effects, in place of what it added before.
func AddEffects(writes []*Write, keys []string) {
	if len(writes)+len(keys) == 0 {
		withOwn.Store(nil)
		return
	}
	own := *effects()
	own.Writes = append(slices.Clone(own.Writes), writes...)
	own.Keys.Names = slices.Clone(own.Keys.Names)
	for _, name := range keys {
		own.Keys.Names = append(own.Keys.Names, Plain(name))
	}
	withOwn.Store(&own)
}

func addedAt(root string) *Library {
	if l, ok := added.Load(root); ok {
		return l.(*Library)
	}
	return nil
}
