package rule

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/astutil"
)

// A Source is the source around a place, which fixes are made of.
type Source struct {
	*Pass
	File *ast.File
	Path []ast.Node // from the place outwards
	text []byte
}

// SourceAt returns the source around pos, nil if it can't be read: under Bazel's nogo, or if pos is nowhere.
func (p *Pass) SourceAt(pos token.Pos) *Source {
	if p.ReadFile == nil || !pos.IsValid() {
		return nil
	}
	for _, file := range p.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			text, err := p.ReadFile(p.Fset.File(pos).Name())
			if err != nil {
				return nil
			}
			path, _ := astutil.PathEnclosingInterval(file, pos, pos)
			return &Source{Pass: p, File: file, Path: path, text: text}
		}
	}
	return nil
}

// Text is what stands between two places of the file.
func (s *Source) Text(from, to token.Pos) string {
	tf := s.Fset.File(from)
	return string(s.text[tf.Offset(from):tf.Offset(to)])
}
