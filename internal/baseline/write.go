package baseline

import (
	"bytes"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

const header = `# Findings that are accepted for now. Owner, reason and expires (the last day, as in 2026-12-31) are written by hand and kept;
# all else is written by retrylint baseline write.
`

// The form of the file.
type (
	document struct {
		Version  int        `yaml:"version"`
		Findings []listItem `yaml:"findings"`
	}
	listItem struct {
		Rule     string   `yaml:"rule"`
		Package  string   `yaml:"package"`
		Function string   `yaml:"function,omitempty"`
		Chain    []string `yaml:"chain,omitempty"`
		Ordinal  int      `yaml:"ordinal,omitempty"` // from 2
		Owner    string   `yaml:"owner,omitempty"`
		Reason   string   `yaml:"reason,omitempty"`
		Expires  date     `yaml:"expires,omitempty"`
	}
	date string
)

// MarshalYAML writes a date without quotes.
func (d date) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!timestamp", Value: string(d)}, nil
}

// Encode returns the text of the file: the same for the same entries.
func (b *Baseline) Encode() ([]byte, error) {
	doc := document{Version: 1, Findings: []listItem{}}
	for _, e := range b.Entries {
		item := listItem{e.Rule, e.Package, e.Function, e.Chain, e.Ordinal, e.Owner, e.Reason, date(e.Expires)}
		if item.Ordinal == 1 {
			item.Ordinal = 0
		}
		doc.Findings = append(doc.Findings, item)
	}
	text := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(doc); err != nil {
		return nil, err
	}
	return text.Bytes(), encoder.Close()
}

// Write replaces the file, as a whole or not at all.
func (b *Baseline) Write(file string) error {
	text, err := b.Encode()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
