package retryidempotency

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
)

// The kinds of statements that matter.
type statementKind int

const (
	harmless statementKind = iota
	inserts
	increments
)

// A statement is what SQL text does, as far as its words tell.
type statement struct {
	kind statementKind
	// table, columns and values are those of an insert; conflict are the columns by which it finds that the row exists, and
	// resolved tells that it does something about that.
	table           string
	columns, values []string
	conflict        []string
	resolved        bool
	// keyed tells that only a version, or a state before the change, is changed.
	keyed bool
}

var (
	comments     = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	insertInto   = regexp.MustCompile(`(?is)\binsert\s+(?:into\s+)?["` + "`" + `\[]?([\w.]+)["` + "`" + `\]]?\s*(?:as\s+\w+\s*)?(?:\(([^)]*)\))?`)
	valuesOf     = regexp.MustCompile(`(?is)\bvalues\s*\(`)
	onConflict   = regexp.MustCompile(`(?is)\bon\s+conflict\s*(?:\(([^)]*)\))?|\bon\s+duplicate\s+key\b`)
	resolvesElse = regexp.MustCompile(`(?is)\binsert\s+(or\s+)?(ignore|replace)\b|^\s*replace\b|^\s*upsert\b|^\s*merge\b|\bnot\s+exists\s*\(|\bif\s+not\s+exists\b`)
	assignment   = regexp.MustCompile(`(?is)(?:\bset\b|,)\s*(?:\w+\.)?["` + "`" + `]?(\w+)["` + "`" + `]?\s*=\s*([^,]*)`)
	updates      = regexp.MustCompile(`(?is)^\s*(?:with\b.*?\)\s*)?update\b`)
	versioned    = regexp.MustCompile(`(?is)\bwhere\b.*\b(version|etag|revision|rev|lock_version|generation|idempot\w*|applied\w*|processed\w*|last_\w+|status|state)\b|\bnot\s+exists\s*\(`)
)

// parse reads the words of a statement.
func parse(text string) *statement {
	text = comments.ReplaceAllString(text, " ")
	if found := insertInto.FindStringSubmatch(text); found != nil {
		return parseInsert(text, found)
	}
	if updates.MatchString(text) && isRelative(text) {
		return &statement{kind: increments, keyed: versioned.MatchString(text)}
	}
	return &statement{}
}

func parseInsert(text string, found []string) *statement {
	s := &statement{kind: inserts, table: found[1], columns: names(found[2])}
	if at := valuesOf.FindStringIndex(text); at != nil {
		s.values = tuple(text[at[1]:])
	}
	if at := onConflict.FindStringSubmatchIndex(text); at != nil {
		s.resolved = !isRelative(text[at[1]:])
		if at[2] >= 0 {
			s.conflict = names(text[at[2]:at[3]])
		}
	}
	s.resolved = s.resolved || resolvesElse.MatchString(text)
	return s
}

// isRelative reports whether an assignment of the text reads the column that it sets.
func isRelative(text string) bool {
	before, _, _ := strings.Cut(text, " where ")
	for _, found := range assignment.FindAllStringSubmatch(before, -1) {
		column, set := found[1], found[2]
		reads := regexp.MustCompile(`(?i)(^|[^\w:@$])(?:\w+\.)?` + regexp.QuoteMeta(column) + `\b`)
		if reads.MatchString(set) && strings.ContainsAny(set, "+-*|") && !strings.Contains(strings.ToLower(set), "excluded."+strings.ToLower(column)+" ") {
			return true
		}
	}
	return false
}

// tuple splits the values up to the closing parenthesis.
func tuple(text string) []string {
	depth, start := 0, 0
	var list []string
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case r == ')':
			return append(list, strings.TrimSpace(text[start:i]))
		case r == ',' && depth == 0:
			list = append(list, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return list
}

func names(list string) []string {
	var found []string
	for _, name := range strings.Split(list, ",") {
		if name = strings.Trim(strings.TrimSpace(name), "\"`[]"); name != "" {
			found = append(found, strings.ToLower(name))
		}
	}
	return found
}

// identity lists the columns that identify a row: those of the conflict clause, or those that are called so.
func (s *statement) identity() []string {
	if len(s.conflict) == 1 {
		return s.conflict
	}
	var list []string
	for _, c := range s.columns {
		if s.identifies(c) {
			list = append(list, c)
		}
	}
	return list
}

func (s *statement) identifies(column string) bool {
	plain := catalog.Plain(column)
	table := catalog.Plain(s.table[strings.LastIndexByte(s.table, '.')+1:])
	singular := strings.TrimSuffix(table, "s")
	ids := []string{"id", "uuid", "guid", "ulid", "key", "eventid", "messageid", "commandid", table + "id", singular + "id", strings.TrimSuffix(table, "es") + "id", strings.TrimSuffix(table, "ies") + "yid"}
	return slices.Contains(ids, plain) || catalog.OfEffects().Keys.IsKey(column, true) && plain != "reference"
}

// argumentOf returns which argument is put into a column, -1 if none is.
func (s *statement) argumentOf(column string) int {
	i := slices.Index(s.columns, column)
	if i < 0 || i >= len(s.values) {
		return -1
	}
	switch value := s.values[i]; {
	case strings.HasPrefix(value, "$"):
		if n, err := strconv.Atoi(strings.TrimRight(value[1:], ":abcdefghijklmnopqrstuvwxyz[]")); err == nil {
			return n - 1
		}
	case value == "?":
		n := 0
		for _, earlier := range s.values[:i] {
			if earlier == "?" {
				n++
			}
		}
		return n
	}
	return -1
}

// statement returns what a call executes, if it executes SQL, and the arguments of the statement.
func (a *attempt) statement(call *ssa.Call, step callgraph.Step) (*statement, []ssa.Value) {
	args := spread(call.Common())
	if e := a.foreign.of(call.Common()); e != nil && e.Executes > 0 {
		args = args[len(arguments(call.Common()))-len(withoutReceiver(call.Common())):]
		if e.Executes <= len(args) {
			if text, ok := a.query(args[e.Executes-1], step); ok {
				return parse(text), args[e.Executes:]
			}
		}
		return nil, nil
	}
	if !a.executesStatements(call) {
		return nil, nil
	}
	for i, v := range args {
		if i > 2 {
			break
		}
		if text, ok := a.query(v, step); ok {
			return parse(text), args[i+1:]
		}
	}
	return nil, nil
}

// executesStatements reports whether a call executes SQL that it is given.
func (a *attempt) executesStatements(call *ssa.Call) bool {
	pkgPath, typ, name := calleeParts(call.Common())
	known := &catalog.OfEffects().SQL
	if typ == "" || !slices.Contains(known.Methods, name) {
		return false
	}
	full := pkgPath + "." + typ
	return slices.Contains(known.Types, full) || slices.Contains(known.Types, "*"+full) || a.executesLike(call)
}

// statementText is the argument of a call that holds its SQL, nil if it executes none.
func (a *attempt) statementText(call *ssa.Call) ssa.Value {
	if !a.executesStatements(call) {
		return nil
	}
	for _, v := range withoutReceiver(call.Common()) {
		if v.Type().Underlying().String() == "string" {
			return v
		}
	}
	return nil
}

// executesLike reports whether a method of an interface executes statements, by its form: (ctx, query string, args ...any).
func (a *attempt) executesLike(call *ssa.Call) bool {
	if !call.Call.IsInvoke() || !call.Call.Signature().Variadic() {
		return false
	}
	params := call.Call.Signature().Params()
	return params.Len() >= 2 && params.At(params.Len()-2).Type().String() == "string"
}

// query returns the text of a statement, as far as it is constant: the beginning of one that is put together, too.
func (a *attempt) query(v ssa.Value, step callgraph.Step) (string, bool) {
	if v.Type().Underlying().String() != "string" {
		return "", false
	}
	if text, ok := a.text(v, step); ok {
		return text, true
	}
	switch x := plain(v).(type) {
	case *ssa.BinOp:
		before, first := a.query(x.X, step)
		after, second := a.query(x.Y, step)
		return before + " " + after, first || second
	case *ssa.Call:
		if _, _, name := calleeParts(x.Common()); name == "Sprintf" && len(x.Call.Args) > 0 {
			return constantText(x.Call.Args[0])
		}
	}
	return "", false
}
