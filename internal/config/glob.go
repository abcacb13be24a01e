package config

import (
	"path"
	"strings"
)

// matches reports whether a slash-separated path fits a pattern, in which ** stands for any number of path elements
// (none as well) and each other element is matched as path.Match does.
func matches(pattern, name string) bool {
	return matchElements(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchElements(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			return matchElements(pattern[1:], name) || len(name) > 0 && matchElements(pattern, name[1:])
		}
		if len(name) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], name[0]); !ok {
			return false // a malformed pattern was refused when the file was read
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}
