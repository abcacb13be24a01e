// Package plugins finds its implementations in a registry: constructors are collected in a list, what they make is kept in a
// cache of untyped values, and what that gives is collected in a loop. Values aren't followed through all of that, types are.
package plugins

import (
	"errors"
	"sync"
)

// An Archive keeps files.
type Archive interface {
	List(dir string) (Files, error)
}

type File interface {
	Open() (string, error)
}

type Files []File

type maker struct {
	name string
	make func(root string) (Archive, error)
}

var registry []*maker

func register(m *maker) { registry = append(registry, m) }

func init() {
	register(&maker{"tape", newTape})
	register(&maker{"disk", newDisk})
}

func find(name string) (*maker, error) {
	for _, m := range registry {
		if m.name == name {
			return m, nil
		}
	}
	return nil, errors.New("no such archive")
}

type cache struct {
	mu      sync.Mutex
	entries map[string]*entry
}

type entry struct{ value any }

var archives = cache{entries: map[string]*entry{}}

func (c *cache) get(key string, create func(key string) (any, bool, error)) (v any, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		v, ok, err = create(key) // whoever calls get decides
		if err != nil && !ok {
			return v, err
		}
		e = &entry{value: v}
		c.entries[key] = e
	}
	return e.value, nil
}

// Get returns an archive, a new one if there is none.
func Get(name, root string) (a Archive, err error) {
	m, err := find(name) // -> plugins.find
	if err != nil {
		return nil, err
	}
	v, err := archives.get(name+root, func(string) (v any, ok bool, err error) { // -> (*cache).get
		v, err = m.make(root)
		return v, err == nil, err
	})
	if err != nil {
		return nil, err
	}
	a, ok := v.(Archive)
	if !ok {
		return nil, errors.New("no archive")
	}
	return a, nil
}

type tape struct{ root string }

func newTape(root string) (Archive, error) { return &tape{root}, nil }

func (t *tape) List(dir string) (files Files, err error) {
	walk(dir, func(name string) { // -> plugins.walk
		files = append(files, reel{name})
	})
	return files, nil
}

type reel struct{ name string }

// Open winds the tape, three times at most.
func (r reel) Open() (string, error) {
	var err error
	for i := 0; i < 3; i++ {
		var s string
		if s, err = wind(r.name); err == nil { // -> plugins.wind
			return s, nil
		}
	}
	return "", err
}

type disk struct{ root string }

func newDisk(root string) (Archive, error) { return &disk{root}, nil }

func (d *disk) List(dir string) (Files, error) {
	var files Files
	for _, name := range []string{"a", "b"} {
		files = append(files, sector{name})
	}
	return files, nil
}

type sector struct{ name string }

func (s sector) Open() (string, error) { return wind(s.name) } // -> plugins.wind

func walk(dir string, found func(name string)) { found(dir) }

func wind(name string) (string, error) {
	if name == "" {
		return "", errors.New("torn")
	}
	return name, nil
}

// Read reads everything.
func Read(name, dir string) error {
	a, err := Get(name, dir) // -> plugins.Get
	if err != nil {
		return err
	}
	files, err := a.List(dir) // -> (*disk).List, (*tape).List
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := readOne(f); err != nil { // -> plugins.readOne
			return err
		}
	}
	return nil
}

func readOne(f File) error { // chain: 12 of readOne reel
	var err error
	for i := 0; i < 4; i++ {
		if _, err = f.Open(); err == nil {
			return nil
		}
	}
	return err
}

// Stream reads what listings send, until it is told to stop.
func Stream(name string, stop <-chan struct{}) error {
	a, err := Get(name, "") // -> plugins.Get
	if err != nil {
		return err
	}
	found := make(chan File)
	go func() { // -> plugins.Stream$1
		defer close(found)
		send(a, func(list Files) { // -> plugins.send
			for _, f := range list {
				found <- f
			}
		})
	}()
	for {
		select {
		case f, more := <-found:
			if !more {
				return nil
			}
			if err := again(f); err != nil { // -> plugins.again
				return err
			}
		case <-stop:
			return nil
		}
	}
}

func send(a Archive, found func(list Files)) {
	if list, err := a.List(""); err == nil {
		found(list)
	}
}

func again(f File) (err error) { // chain: 6 of again reel
	for range 2 {
		if _, err = f.Open(); err == nil {
			return nil
		}
	}
	return err
}

// Types that hold themselves have no end.
type (
	tree map[string]tree
	nest []nest
	all  map[string][]all
)

func grow(t tree, n nest, a all) (tree, nest, all) {
	t["branch"] = tree{}
	a["egg"] = append(a["egg"], a)
	return t, append(n, n), a
}

// Grow does what grow does.
func Grow() { grow(tree{}, nil, all{}) } // -> plugins.grow
