package catalog

import "sync"

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

func addedAt(root string) *Library {
	if l, ok := added.Load(root); ok {
		return l.(*Library)
	}
	return nil
}
