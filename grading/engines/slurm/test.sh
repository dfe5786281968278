#!/usr/bin/env bash
# Runs grade.sbatch on a Slurm of two nodes, both on this machine, and looks
# whether the merged class is that of one machine, to the byte. Needs root, and of
# Debian the packages slurmctld, slurmd, slurm-client and munge.
# Usage: bash grading/engines/slurm/test.sh [FOLDER WITH de]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
dir=$(mktemp -d)
export SLURM_CONF=$dir/slurm.conf
host=$(hostname -s)

stop() {
  scancel --quiet --user="$(id -un)" 2>/dev/null || true
  for name in slurmd-node1 slurmd-node2 slurmctld munged; do
    if [ -s "$dir/$name.pid" ]; then kill "$(cat "$dir/$name.pid")" 2>/dev/null || true; fi
  done
  for _ in $(seq 100); do # they still write to the folder as they end
    [ -e "$dir/slurmctld.pid" ] || [ -e "$dir/slurmd-node1.pid" ] || [ -e "$dir/slurmd-node2.pid" ] || break
    sleep 0.1
  done
  rm -rf "$dir"
}
trap stop EXIT

# until_true SECONDS COMMAND... waits for a command to succeed.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "this did not come to pass: $*"
      tail -n 20 "$dir"/*.log "$dir"/slurm-*.out || true
      return 1
    fi
    sleep 0.2
  done
}

if [ $# -gt 0 ]; then PATH=$(cd "$1" && pwd):$PATH; else
  (cd "$top" && go build -o "$dir/bin/de" ./cmd/de)
  PATH=$dir/bin:$PATH
fi
export PATH

echo "a Slurm of two nodes"
dd if=/dev/urandom of="$dir/munge.key" bs=1 count=128 status=none
chmod 700 "$dir"
chmod 600 "$dir/munge.key"
munged --force --socket="$dir/munge" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" \
  --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
cat >"$SLURM_CONF" <<END
ClusterName=de
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17000
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$dir/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=node[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=2 RealMemory=4096
PartitionName=grade Nodes=ALL Default=YES State=UP
END
mkdir "$dir/state"
slurmctld -c
slurmd -N node1
slurmd -N node2
both_idle() { [ "$(sinfo --noheader --format='%D %t')" = "2 idle" ]; }
until_true 30 both_idle

echo "a class of six"
cd "$dir"
mkdir -p class/{ada,ben,cem,dora,eva,finn}/01-operators shards
(mkdir work && cd work && de start FLK-BYO/01 && de solution 01 --yes >"$dir/right.go" && cp 01-operators/operators.go "$dir/begun.go") >/dev/null
for student in ada ben cem; do cp right.go "class/$student/01-operators/operators.go"; done
echo 'package operators' >class/dora/01-operators/operators.go # does not compile
cp begun.go class/eva/01-operators/operators.go
echo hello >class/finn/hello.txt # nothing to judge
graded() { "$@" >/dev/null || [ $? -eq 4 ]; }
graded de grade class --out one

echo "the same in an array of four tasks"
id=$(sbatch --parsable "$here/grade.sbatch" class shards)
all_ended() { [ -z "$(squeue --noheader --jobs="$id")" ]; }
until_true 300 all_ended
cat "slurm-$id"_*.out
for task in 0 1 2 3; do
  grep -q "part $((task + 1)) of 4, as SLURM_ARRAY_TASK_ID says" "slurm-${id}_$task.out"
done
nodes=$(grep -ho 'Allocate JobId=.*NodeList=node[12]' slurmctld.log | grep -o 'node[12]$' | sort -u | wc -l)
[ "$nodes" = 2 ] || { echo "only $nodes of 2 nodes had tasks"; exit 1; }

echo "merged, and compared"
graded de report merge shards/* --out merged
diff --recursive --exclude=times.json one merged
echo "the same $(find merged -type f | wc -l) files, from 2 nodes and from one machine"
