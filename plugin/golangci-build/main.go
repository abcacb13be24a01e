// Golangci-build is golangci-lint with the linter retrylint in it. It is a module of its own, so that nothing else depends on
// golangci-lint.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/retrylint/retrylint/plugin"
)

// version makes golangci-lint key its cache with a hash of the executable. With a version number, which says nothing about
// the plugin, it would show results of the previous build.
const version = "(devel)"

func main() {
	if err := commands.Execute(commands.BuildInfo{Version: version, GoVersion: runtime.Version()}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
