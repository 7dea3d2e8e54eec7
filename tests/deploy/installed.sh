#!/bin/bash
# Run inside of a fresh system, as root: installs the older package, upgrades it with a daemon at work, backs up, removes, installs
# again, purges. Each step says what it has seen; the first that is wrong ends it. usage: installed.sh OLDER.deb NEWER.deb
set -euo pipefail
older=$1 newer=$2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
store=/var/lib/costcurve/costcurve.db
config=/etc/costcurve/costcurve.conf
port=18473
daemon=0

fail() { echo "WRONG: $*" >&2; exit 1; }
ok() { echo "ok: $*"; }
trap 'test $daemon = 0 || kill $daemon 2>/dev/null || true' EXIT
as_costcurve() { runuser -u costcurve -- env COSTCURVE_DATABASE=$store "$@"; }
apt() { apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends --allow-downgrades "$@"; }
version() { dpkg-query -W -f '${Version}' costcurve; }
ready() { /usr/libexec/costcurve/health $port >/dev/null 2>&1; }
wait_ready() { for _ in $(seq 600); do ready && return; kill -0 $daemon || return 1; sleep 0.1; done; return 1; }
start() {
	setpriv --reuid costcurve --regid costcurve --clear-groups env COSTCURVE_DATABASE=$store COSTCURVE_CONFIG=$config costcurve serve --port $port >/tmp/daemon.log 2>&1 &
	daemon=$!
	wait_ready || fail "the daemon is not ready: $(cat /tmp/daemon.log)"
}
stop() { kill "$daemon"; wait "$daemon" || fail "the daemon ended with $?"; daemon=0; }
documents() { as_costcurve costcurve export | sha256sum; }

apt update >/dev/null
apt install "$older" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
first=$(version)
[ "$(getent passwd costcurve | cut -d: -f6,7)" = /var/lib/costcurve:/usr/sbin/nologin ] || fail "no user costcurve"
[ "$(stat -c '%a %U:%G' /var/lib/costcurve)" = "700 costcurve:costcurve" ] || fail "$(stat -c '%a %U:%G' /var/lib/costcurve)"
[ "$(stat -c '%a %U:%G' /var/backups/costcurve)" = "700 costcurve:costcurve" ] || fail "the folder of backups"
wants=/etc/systemd/system/multi-user.target.wants/costcurve.service
[ -L $wants ] || fail "the daemon is not enabled"
[ ! -e /etc/systemd/system/timers.target.wants/costcurve-backup.timer ] || fail "the backup timer is enabled"
if command -v systemd-analyze >/dev/null; then
	# Manual pages are not there where the system leaves documentation out.
	systemd-analyze verify /usr/lib/systemd/system/costcurve*.service /usr/lib/systemd/system/costcurve*.timer >/tmp/verify.log 2>&1 || true
	! grep costcurve /tmp/verify.log | grep -v "Command 'man " || fail "systemd finds fault with the units"
fi
ok "$first is installed: user, folders, unit"

as_costcurve costcurve import json /usr/share/costcurve/catalog/*.json
before=$(documents)
start
ok "the daemon serves the catalogue"

echo "# by the operator" >>$config
apt install "$newer" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
[ "$(version)" != "$first" ] || fail "still $first"
grep -q "# by the operator" $config || fail "the upgrade overwrote the settings"
ready || fail "the upgrade ended the daemon that no systemd looks after"
stop
start
[ "$(documents)" = "$before" ] || fail "the documents are others after the upgrade"
ok "upgraded to $(version) beside a running daemon: settings and documents are the same"

as_costcurve costcurve-backup
backup=$(ls /var/backups/costcurve/costcurve-*.db)
stop
rm $store
as_costcurve costcurve restore "$backup"
[ "$(documents)" = "$before" ] || fail "the documents are others after the restore"
ok "backed up and restored"

apt remove costcurve >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
command -v costcurve && fail "the program is still there"
[ -s $store ] && [ -s $config ] || fail "store or settings went with the program"
ok "removed: store and settings are kept"

apt install "$newer" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
[ -L $wants ] || fail "the daemon is not enabled again"
[ ! -e /etc/systemd/system/costcurve.service ] || fail "the daemon is still masked"
grep -q "# by the operator" $config || fail "settings were lost"
[ "$(documents)" = "$before" ] || fail "the documents are others after it was installed again"
ok "installed again: everything is as it was"

apt purge costcurve >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
left=$(find / -xdev -iname '*costcurve*' -not -path '/proc/*' -not -path '/tmp/*' -not -path '/var/backups/*' -not -path '/sys/*' \
	-not -path '/var/cache/apt/*' -not -path "${newer%/*}/*" 2>/dev/null || true)
[ -z "$left" ] || fail "left behind: $left"
[ -s "$backup" ] || fail "the backup went"
grep -q "are kept" /tmp/install.log || fail "nothing says that the backups are kept"
ok "purged: nothing is left but the backups"
