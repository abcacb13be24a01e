// Retrylint reports retries that multiply, ignore deadlines, repeat writes or never end. See retrylint help.
package main

import (
	"os"

	"github.com/retrylint/retrylint/internal/driver"
)

func main() {
	if args := os.Args[1:]; driver.IsVetCall(args) {
		driver.VetTool(args)
	}
	c := command{stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(c.run(os.Args[1:]))
}
