// Package typo finds what somebody meant by a misspelt name.
package typo

// Closest returns the known name nearest to the word, or "" if none is near enough to be worth a suggestion: at most one
// edit for every three letters of the word, and at least one.
func Closest(word string, known []string) string {
	best, limit := "", max(1, len(word)/3)
	for _, name := range known {
		if d := distance(word, name); d <= limit {
			best, limit = name, d-1
		}
	}
	return best
}

// Hint is the end of an error message about a word that is not known: a suggestion, or nothing.
func Hint(word string, known []string) string {
	if name := Closest(word, known); name != "" {
		return ": did you mean " + name + "?"
	}
	return ""
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour that turn a into b.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+unequal(a[i], b[j]))
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

func unequal(x, y byte) int {
	if x == y {
		return 0
	}
	return 1
}
