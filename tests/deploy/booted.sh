#!/bin/bash
# Run by systemd inside of a fresh system, as root: the life of the package with a systemd at work. Each step says what it has seen;
# the first that is wrong ends it. usage: booted.sh OLDER.deb NEWER.deb
set -euo pipefail
older=$1 newer=$2 place=${2%/*}
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
store=/var/lib/costcurve/costcurve.db
config=/etc/costcurve/costcurve.conf
port=8080

fail() { echo "WRONG: $*"; journalctl --no-pager -u 'costcurve*' -n 30; exit 1; }
ok() { echo "ok: $*"; }
apt() { apt-get -q -y -o Dpkg::Use-Pty=0 "$@" >/tmp/apt.log 2>&1 || fail "$(tail -20 /tmp/apt.log)"; }
of_unit() { systemctl show -P "$1" "${2:-costcurve.service}"; }
ready() { /usr/libexec/costcurve/health $port >/dev/null 2>&1; }
wait_ready() { for _ in $(seq 300); do ready && return; sleep 0.1; done; fail "$1: the daemon is not ready"; }
wait_state() {
	for _ in $(seq 100); do [ "$(of_unit ActiveState)" = "$1" ] && return; sleep 0.1; done
	fail "$2: $(of_unit ActiveState)"
}
# documented WORDS [NAME VALUE]: runs the command of docs/operations.md that has these words, with a value in the place of a name.
documented() {
	local command
	command=$(grep -F -- "$1" $place/commands | sort -u) || fail "docs/operations.md has no '$1'"
	bash -c "${command//${2:-NOTHING}/${3:-}}" || fail "$command"
}
documents() { runuser -u costcurve -- env COSTCURVE_DATABASE=$store costcurve export | sha256sum; }
# post PATH FILE: the status and the body's beginning.
post() {
	local size
	size=$(stat -c %s "$2")
	exec 4<>/dev/tcp/127.0.0.1/$port
	printf 'POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' "$1" >&4
	printf 'Content-Length: %s\r\nConnection: close\r\n\r\n' "$size" >&4
	cat "$2" >&4
	cat <&4 | head -c 2000 | tr -d '\r\0'
	exec 4>&-
}

[ -z "$(systemctl list-units --failed --no-legend)" ] || fail "units fail without the package: $(systemctl list-units --failed)"
apt install "$older"
wait_state active "installed"
wait_ready "installed"
[ "$(of_unit UnitFileState)" = enabled ] || fail "the daemon is not enabled"
ok "installed: the daemon is started, enabled and ready"

process=$(of_unit MainPID)
status() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$process/status"; }
[ "$(stat -c %U "/proc/$process")" = costcurve ] || fail "it runs as $(stat -c %U "/proc/$process")"
bounds="$(status NoNewPrivs) $(status Seccomp) $(status CapBnd)"
[ "$bounds" = "1 2 0000000000000000" ] || fail "NoNewPrivs, Seccomp and CapBnd are $bounds"
in_sandbox() { nsenter --target "$process" --mount "$@"; }
for folder in /usr /etc /var/backups/costcurve /home; do
	! in_sandbox touch "$folder/x" 2>/dev/null || fail "the daemon's file system lets it write to $folder"
done
in_sandbox test -w /var/lib/costcurve || fail "it can't write to its store"
[ "$(stat -c '%a %U' $store)" = "600 costcurve" ] || fail "the store is $(stat -c '%a %U' $store)"
documented "costcurve import json"
{ printf '{"scenario": '; cat $place/cloud_on_demand.json; printf '}'; } >/tmp/evaluate.json
post /v1/evaluate /tmp/evaluate.json >/tmp/answer
grep -q '^HTTP/1.1 200' /tmp/answer && grep -q '"total"' /tmp/answer || fail "an evaluation: $(head -c 400 /tmp/answer)"
! journalctl --no-pager -u costcurve | grep -i 'not permitted\|denied\|warning' || fail "the sandbox is in its way"
ok "it works in its sandbox: an own user, no capability, system calls filtered, one folder to write to"

before=$(documents)
sed -i 's/^#log-level=info/log-level=warn/' $config
documented "systemctl reload costcurve"
sleep 0.5
lines=$(journalctl --no-pager -u costcurve | grep -c readyz || true)
wait_ready "reloaded"
[ "$(journalctl --no-pager -u costcurve | grep -c readyz || true)" = "$lines" ] || fail "log-level=warn still logs requests"
[ "$(of_unit MainPID)" = "$process" ] || fail "a reload restarted it"
ok "reloaded: another level of the log, the same process"

kill -9 "$process"
for _ in $(seq 100); do [ "$(of_unit NRestarts)" = 1 ] && break; sleep 0.1; done
wait_ready "killed"
[ "$(of_unit NRestarts)" = 1 ] || fail "restarts: $(of_unit NRestarts)"
[ "$(documents)" = "$before" ] || fail "documents were lost"
ok "killed: started again, nothing is lost"

sed -i 's/^port=8080/port=99999/' $config
systemctl restart costcurve 2>/dev/null || true
wait_state failed "wrong settings"
sleep 2.5 # RestartSec
state="$(of_unit ActiveState) $(of_unit ExecMainStatus) $(of_unit NRestarts)"
[ "$state" = "failed 2 0" ] || fail "state, status and restarts are $state"
sed -i 's/^port=99999/port=8080/' $config
documented "systemctl start costcurve"
wait_ready "mended settings"
ok "wrong settings: it fails with 2, and is not tried again"

documented "systemctl enable --now costcurve-backup.timer"
[ "$(of_unit ActiveState costcurve-backup.timer)" = active ] || fail "the timer does not run"
systemctl start costcurve-backup.service costcurve-recalculate.service || fail "a task fails"
backup=$(ls /var/backups/costcurve/costcurve-*.db)
for task in costcurve-backup.service costcurve-recalculate.service; do
	[ "$(of_unit Result $task)" = success ] || fail "$task: $(of_unit Result $task)"
done
documented "systemctl stop costcurve"
documented "costcurve restore" FILE "$backup"
documented "systemctl start costcurve"
wait_ready "restored"
[ "$(documents)" = "$before" ] || fail "the documents are others after the restore"
ok "backed up and recalculated in their sandboxes, and restored"

documented "systemctl stop costcurve"
rm -f $store*
install -o costcurve -g costcurve -m 600 $place/store.db $store
documented "systemctl start costcurve"
wait_ready "on the store of 2.0"
[ -s $store.before-11 ] || fail "there is no copy of the store of 2.0"
process=$(of_unit MainPID)
before=$(documents)
apt install "$newer"
wait_ready "upgraded"
[ "$(of_unit MainPID)" != "$process" ] || fail "the old program still runs after the upgrade"
[ "$(documents)" = "$before" ] || fail "the documents are others after the upgrade"
[ "$(of_unit ActiveState costcurve-backup.timer)" = active ] || fail "the upgrade stopped the timer"
ok "the store of 2.0 is opened, and the upgrade restarts the daemon"

apt remove costcurve
[ "$(of_unit ActiveState)" = inactive ] || fail "removed: $(of_unit ActiveState)"
[ "$(of_unit ActiveState costcurve-backup.timer)" = inactive ] || fail "the timer still runs"
[ -s $store ] || fail "the store went with the program"
apt install "$newer"
wait_ready "installed again"
[ "$(documents)" = "$before" ] || fail "the documents are others after it was installed again"
apt purge costcurve
[ "$(of_unit ActiveState)" = inactive ] || fail "purged, and at work"
[ ! -e $store ] && [ -s "$backup" ] || fail "purged: $(ls /var/lib /var/backups/costcurve)"
[ -z "$(systemctl list-units --failed --no-legend)" ] || fail "failed units are left: $(systemctl list-units --failed)"
ok "removed: stopped, the store kept; purged: the store gone, backups kept"
