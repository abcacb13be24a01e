package retryidempotency

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
)

// Generated clients of services say by a fact which of their methods can be repeated. That is asked of packages of other modules, too:
// it stands in their syntax.

// exportLevels exports the effects of the methods of generated clients that can be repeated.
func exportLevels(pass *analysis.Pass) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR && group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				for _, m := range repeatableMethods(descriptorIn(pass, spec)) {
					exportLevel(pass, m)
				}
			}
		}
	}
}

// descriptorIn returns the bytes of a file's descriptor, nil if a declaration has none: file_orders_proto_rawDesc is a constant string or,
// as older generators write it, a slice of bytes.
func descriptorIn(pass *analysis.Pass, spec ast.Spec) []byte {
	value, ok := spec.(*ast.ValueSpec)
	if !ok || len(value.Names) != 1 || len(value.Values) != 1 {
		return nil
	}
	if name := value.Names[0].Name; !strings.HasPrefix(name, "file_") || !strings.HasSuffix(name, "_rawDesc") {
		return nil
	}
	return bytesOf(pass.TypesInfo, value.Values[0])
}

// bytesOf returns the bytes of a constant string, of a literal of bytes, or of a conversion of one of them.
func bytesOf(info *types.Info, e ast.Expr) []byte {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return []byte(constant.StringVal(v))
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		if len(e.Args) == 1 && info.Types[e.Fun].IsType() {
			return bytesOf(info, e.Args[0])
		}
	case *ast.CompositeLit:
		return literalBytes(info, e)
	}
	return nil
}

func literalBytes(info *types.Info, literal *ast.CompositeLit) []byte {
	if len(literal.Elts) > maxDescriptorSize {
		return nil
	}
	list := make([]byte, 0, len(literal.Elts))
	for _, e := range literal.Elts {
		v := info.Types[e].Value
		if v == nil {
			return nil
		}
		b, exact := constant.Uint64Val(constant.ToInt(v))
		if !exact || b > 0xff {
			return nil
		}
		list = append(list, byte(b))
	}
	return list
}

// exportLevel exports that a method of a service can be repeated, for the interface of its client and for what implements it.
func exportLevel(pass *analysis.Pass, m serviceMethodName) {
	client, goMethod := goName(m.service)+"Client", goName(m.method)
	for _, name := range []string{client, lowered(client)} {
		typ, ok := pass.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		found, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ.Type()), true, pass.Pkg, goMethod)
		if types.IsInterface(typ.Type()) {
			found, _, _ = types.LookupFieldOrMethod(typ.Type(), true, pass.Pkg, goMethod)
		}
		if method, isMethod := found.(*types.Func); isMethod && method.Pkg() == pass.Pkg {
			pass.ExportObjectFact(method, &Effect{Repeatable: true})
		}
	}
}

// goName is what generated code calls a name of a descriptor: hall_keeper becomes HallKeeper.
func goName(name string) string {
	var b strings.Builder
	up := true
	for i, r := range name {
		switch {
		case r == '_' && i+1 < len(name) && unicode.IsLower(rune(name[i+1])):
			up = true
			continue
		case up:
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		up = unicode.IsDigit(r)
	}
	return b.String()
}

// lowered is how generated code calls what implements an interface.
func lowered(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}
