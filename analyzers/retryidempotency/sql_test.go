package retryidempotency

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text     string
		kind     statementKind
		resolved bool
		identity []string
		argument int
	}{
		{"INSERT INTO audit (tenant, actor) VALUES ($1, $2)", inserts, false, nil, -1},
		{"insert into audit (id, actor) values ($2, $1) on conflict (id) do nothing", inserts, true, []string{"id"}, 1},
		{"INSERT INTO orders(order_id, total) VALUES (?, ?)", inserts, false, []string{"order_id"}, 0},
		{"INSERT INTO hits (page, n) VALUES ($1, 1) ON CONFLICT (page) DO UPDATE SET n = hits.n + 1", inserts, false, []string{"page"}, 0},
		{"INSERT INTO hits (page, n) VALUES ($1, $2) ON CONFLICT (page) DO UPDATE SET n = EXCLUDED.n", inserts, true, []string{"page"}, 0},
		{"INSERT IGNORE INTO hits (page) VALUES (?)", inserts, true, nil, -1},
		{"UPDATE accounts SET balance = balance - $1 WHERE id = $2", increments, false, nil, -1},
		{"UPDATE accounts SET balance = $1 WHERE id = $2", harmless, false, nil, -1},
		{"UPDATE accounts SET a = $1, visits = visits + 1 WHERE id = $2", increments, false, nil, -1},
		{"DELETE FROM accounts WHERE id = $1", harmless, false, nil, -1},
		{"SELECT * FROM accounts", harmless, false, nil, -1},
	} {
		s := parse(c.text)
		if s.kind != c.kind || s.resolved != c.resolved {
			t.Errorf("%s: kind %v, resolved %v", c.text, s.kind, s.resolved)
		}
		if s.kind != inserts {
			continue
		}
		identity := s.identity()
		if !reflect.DeepEqual(identity, c.identity) {
			t.Errorf("%s: identified by %q, want %q", c.text, identity, c.identity)
		}
		if len(identity) > 0 && s.argumentOf(identity[0]) != c.argument {
			t.Errorf("%s: argument %d, want %d", c.text, s.argumentOf(identity[0]), c.argument)
		}
	}
}
