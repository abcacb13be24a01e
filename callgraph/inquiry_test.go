package callgraph

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// spelled answers what a node of a graph is by spelling all that it leads to; a node that is open is spelled with a small letter.
type spelled struct {
	graph   map[int][]int
	inquiry *inquiry
	answers answers[int, string]
}

func newSpelled(graph map[int][]int) *spelled {
	q := newInquiry(maxDepth)
	return &spelled{graph, q, newAnswers[int, string](q)}
}

func (s *spelled) ask(n int) string {
	if t, ok := s.answers.known(n); ok {
		return t
	}
	if s.answers.isOpen(n) || s.inquiry.tooDeep() {
		return fmt.Sprintf("n%d", n)
	}
	return s.answers.answer(n, func() string {
		parts := []string{fmt.Sprintf("N%d", n)}
		for _, to := range s.graph[n] {
			for part := range strings.FieldsSeq(s.ask(to)) {
				if !slices.Contains(parts, part) {
					parts = append(parts, part)
				}
			}
		}
		slices.Sort(parts)
		return strings.Join(parts, " ")
	})
}

// TestAnswersDoNotDependOnOrder asks random graphs, which have circles within circles, in random orders.
func TestAnswersDoNotDependOnOrder(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 300 {
		graph := randomGraph(random, 2+random.Intn(12))
		first := map[int]string{}
		for n := range graph {
			first[n] = newSpelled(graph).ask(n) // the first of its circle
		}
		all := newSpelled(graph)
		for _, n := range random.Perm(len(graph)) {
			if got := all.ask(n); got != first[n] {
				t.Fatalf("graph %v: %d is %q if asked first, else %q", graph, n, first[n], got)
			}
		}
		if all.inquiry.depth != 0 || len(all.inquiry.tentative) != 0 || len(all.answers.now) != 0 {
			t.Fatalf("graph %v: something was left open", graph)
		}
	}
}

func randomGraph(random *rand.Rand, nodes int) map[int][]int {
	graph := map[int][]int{}
	for n := range nodes {
		for range random.Intn(3) {
			graph[n] = append(graph[n], random.Intn(nodes))
		}
		graph[n] = append([]int(nil), graph[n]...)
	}
	return graph
}

// TestDeepQuestionsEnd asks a chain that is longer than what is followed, from both ends.
func TestDeepQuestionsEnd(t *testing.T) {
	graph := map[int][]int{}
	for n := range 10 * maxDepth {
		graph[n] = []int{n + 1}
	}
	s := newSpelled(graph)
	for n := range 10 * maxDepth {
		if got := s.ask(n); !strings.Contains(" "+got+" ", fmt.Sprintf(" N%d ", n)) {
			t.Fatalf("%d is %q", n, got)
		}
	}
}
