#!/usr/bin/env bash
# Runs the tests of the repository's modules; arguments are passed on to go test. It goes on after a module that fails.
set -euo pipefail
cd "$(dirname "$0")"

failed=()
for module in . testdata/transcripts testdata/shop calibration; do
	echo "== go test ./... in $module"
	(cd "$module" && GOWORK=off go test "$@" ./...) || failed+=("$module")
done
if ((${#failed[@]})); then
	echo "tests failed in: ${failed[*]}" >&2
	exit 1
fi
