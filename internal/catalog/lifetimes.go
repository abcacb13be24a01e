package catalog

import "strings"

// A Lifetime is a kind of value that somebody has to end.
type Lifetime struct {
	// Why says what becomes of one that nobody closes.
	Why string `yaml:"why"`
	// Names are types, as pkgpath.Name. Close is the method that ends one, Body.Close if it is that of a field.
	Names []string `yaml:"names"`
	Close string   `yaml:"close"`
}

// ClosedBy returns the field (often none) and the method that end a value of a type, by its full name; ok is false if
// nothing has to.
func ClosedBy(typeName string) (field, method string, ok bool) {
	how, ok := everyday().opened[typeName]
	if !ok {
		return "", "", false
	}
	if field, method, ok = strings.Cut(how, "."); !ok {
		return "", how, true
	}
	return field, method, true
}

// Transaction reports whether values of a type are transactions, which are over once something in them has failed.
func Transaction(typeName string) bool { return everyday().in["transactions"][typeName] }

// Collects reports whether values of a type keep what is written to them.
func Collects(typeName string) bool { return everyday().in["collectors"][typeName] }
