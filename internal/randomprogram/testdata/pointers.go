package pointers

import (
	"time"
	"unsafe"
)

type header struct {
	n   int32
	op  func() error
	arr [4]int
}

func peek(p unsafe.Pointer, op func() error) (err error) {
	h := (*header)(p)
	for i := int32(0); i < *(*int32)(unsafe.Add(p, unsafe.Offsetof(h.n))); i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Duration(uintptr(p)))
	}
	for i := range unsafe.Slice(&h.arr[0], 4) {
		if err = h.op(); err == nil || i == int(uintptr(unsafe.Pointer(h))) {
			return err
		}
	}
	return err
}

// stub is written in assembly.
func stub(p *header) error

func callStub(p *header) (err error) {
	for i := 0; i < 3; i++ {
		if err = stub(p); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
