#!/usr/bin/env bash
# Makes the autograder for Gradescope, a zip with de and Go for Linux in it. A
# rubric.yaml, and a folder hidden with schedules, in the working directory are
# taken along. Needs Go and zip.
# Usage: bash grading/engines/gradescope/pack.sh [autograder.zip]
set -euo pipefail
out=$(realpath "${1:-autograder.zip}")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT

(cd "$here/../../.." && CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -o "$dir/de" ./cmd/de)
# The go command knows its releases as modules, and checks what it gets.
version=$(go env GOVERSION)
go=$(cd "$dir" && go mod download -json "golang.org/toolchain@v0.0.1-${version%% *}.linux-amd64" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp -R "$go" "$dir/go"
cp "$here/setup.sh" "$here/run_autograder" "$dir"
for more in rubric.yaml hidden; do
  if [ -e "$more" ]; then cp -R "$more" "$dir"; fi
done
chmod -R u+w "$dir"
chmod +x "$dir/de" "$dir/setup.sh" "$dir/run_autograder"
rm -f "$out"
(cd "$dir" && zip -q -r "$out" . -x 'go/test/*')
echo "$out: $(du -h "$out" | cut -f1)"
