package retryidempotency

import (
	"go/types"
	"strings"
	"unicode"

	"github.com/retrylint/retrylint/internal/typename"
)

// wordsOf splits a name into words, in lower case: CreateTicket becomes create, ticket.
func wordsOf(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	end := func(i int) {
		if i > start {
			words = append(words, strings.ToLower(string(runes[start:i])))
		}
		start = i
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
		}
	}
	end(len(runes))
	return words
}

func firstWord(name string) string {
	if words := wordsOf(name); len(words) > 0 {
		return words[0]
	}
	return ""
}

// bareName is the name of a type without its package.
func bareName(t types.Type) string {
	name := typename.Of(t)
	return name[strings.LastIndexByte(name, '.')+1:]
}
