# The commands of this project, for those who have just; see README.md.

# list the recipes
default:
    @just --list

# run the reference through every schedule of the capstone
reference:
    go run ./cmd/de test --impl reference FLK-BYO/08

# all tests
test:
    go test -timeout 30m ./...

# prove the course: references, mutants, variants
certify:
    go run ./cmd/de certify

# the encore: all scenarios on all stores, and all mutants
encore:
    DE_TEST_ALL=1 go test -timeout 60m ./stages/encore

# the way from an edit to a verdict: its parts, and how they grow; or the sections named
bench *sections:
    go run ./cmd/bench {{sections}}

# de against go test on the same grid
bench-plain:
    go run ./cmd/bench plain

# the first run on a machine
bench-cold:
    go run ./cmd/bench cold

# all that must hold before a change lands
ci:
    bash .ci/run

# check the files for Kubernetes and GitHub, and run the Slurm one on two nodes of this machine
engines:
    cd grading/engines/check && go run . ../kubernetes/*.yaml ../github/*.yml
    bash grading/engines/slurm/test.sh

# make autograder.zip for Gradescope, with rubric.yaml and hidden/ if they are here
autograder:
    bash grading/engines/gradescope/pack.sh

# rewrite the golden files; review the change as code
update:
    go test ./cmd/de -run 'TestSessions' -update
    go test ./stages -run TestCounts -update
    go test ./grading/diff ./grading/report ./harness/build ./harness/fault ./harness/mutant ./harness/schedule ./harness/strict -update

# install the command
install:
    go install ./cmd/de
