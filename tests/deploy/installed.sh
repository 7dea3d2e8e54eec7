#!/bin/bash
# Run inside of a fresh system, as root: installs the older package, upgrades it with a daemon at work, backs up, removes, installs
# again, purges. Each step says what it has seen; the first that is wrong ends it. usage: installed.sh OLDER.deb NEWER.deb [PORT]
# The daemon runs as its unit says, with the settings of the package; PORT is for machines that share their network.
set -euo pipefail
older=$1 newer=$2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
store=/var/lib/costcurve/costcurve.db
config=/etc/costcurve/costcurve.conf
unit=/usr/lib/systemd/system/costcurve.service
port_option=${3:+--port $3}
port=${3:-8080}
daemon=0

fail() { echo "WRONG: $*" >&2; exit 1; }
ok() { echo "ok: $*"; }
trap 'test $daemon = 0 || kill $daemon 2>/dev/null || true' EXIT
# documented WORDS [NAME VALUE]: runs the command of docs/operations.md that has these words, with a value in the place of a name.
documented() {
	local command
	command=$(grep -F -- "$1" "${newer%/*}/commands") || fail "docs/operations.md has no '$1'"
	bash -c "${command//${2:-NOTHING}/${3:-}}"
}
as_costcurve() { runuser -u costcurve -- env COSTCURVE_DATABASE=$store "$@"; }
apt() { apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends --allow-downgrades "$@"; }
version() { dpkg-query -W -f '${Version}' costcurve; }
ready() { /usr/libexec/costcurve/health $port >/dev/null 2>&1; }
wait_ready() { for _ in $(seq 600); do ready && return; kill -0 $daemon || return 1; sleep 0.1; done; return 1; }
of_unit() { sed -n "s/^$1=//p" $unit | sed 's|%E|/etc|g; s|%S|/var/lib|g'; } # of_unit SETTING: its values
start() {
	local variables
	mapfile -t variables < <(of_unit Environment)
	(
		cd "$(of_unit WorkingDirectory)"
		umask "$(of_unit UMask)"
		exec setpriv --reuid "$(of_unit User)" --regid "$(of_unit Group)" --clear-groups --no-new-privs --bounding-set -all \
			env -i PATH="$PATH" "${variables[@]}" $(of_unit ExecStart) $port_option
	) >/tmp/daemon.log 2>&1 &
	daemon=$!
	wait_ready || fail "the daemon is not ready: $(cat /tmp/daemon.log)"
}
stop() { kill "$daemon"; wait "$daemon" || fail "the daemon ended with $?"; daemon=0; }
# What the package's scripts have made: users, folders, links of units, and what systemd's helper remembers.
made() {
	getent passwd costcurve
	stat -c '%n %a %U:%G' /var/lib/costcurve /var/backups/costcurve
	find /etc/systemd/system /var/lib/systemd -iname '*costcurve*' -printf '%p %l\n' 2>/dev/null | sort
}
documents() { as_costcurve costcurve export | sha256sum; }

apt update >/dev/null
apt install "$older" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
first=$(version)
[ "$(getent passwd costcurve | cut -d: -f6,7)" = /var/lib/costcurve:/usr/sbin/nologin ] || fail "no user costcurve"
[ "$(stat -c '%a %U:%G' /var/lib/costcurve)" = "700 costcurve:costcurve" ] || fail "$(stat -c '%a %U:%G' /var/lib/costcurve)"
[ "$(stat -c '%a %U:%G' /var/backups/costcurve)" = "700 costcurve:costcurve" ] || fail "the folder of backups"
wants=/etc/systemd/system/multi-user.target.wants/costcurve.service
[ -L $wants ] || fail "the daemon is not enabled"
timer_wants=/etc/systemd/system/timers.target.wants/costcurve-backup.timer
[ ! -e $timer_wants ] || fail "the backup timer is enabled"
if command -v systemd-analyze >/dev/null; then
	# Manual pages are not there where the system leaves documentation out.
	systemd-analyze verify /usr/lib/systemd/system/costcurve*.service /usr/lib/systemd/system/costcurve*.timer >/tmp/verify.log 2>&1 || true
	! grep costcurve /tmp/verify.log | grep -v "Command 'man " || fail "systemd finds fault with the units"
fi
ok "$first is installed: user, folders, unit"

before=$(made)
for again in "configure $first" configure "abort-upgrade $first" abort-remove; do
	as_dpkg="env DPKG_MAINTSCRIPT_PACKAGE=costcurve DPKG_MAINTSCRIPT_NAME=postinst"
	$as_dpkg /var/lib/dpkg/info/costcurve.postinst $again || fail "postinst $again"
	[ "$(made)" = "$before" ] || fail "postinst $again made something else: $(made)"
done
ok "postinst run again changes nothing"

sbom=/usr/share/costcurve/sbom.cdx.json
for library in $(ldd /usr/bin/costcurve | awk '$2 == "=>" { print $1 } $1 ~ /^\// { sub(".*/", "", $1); print $1 }'); do
	grep -q "\"value\": \"$library\"" $sbom || fail "$sbom lacks $library"
done
ok "the bill of materials has every library that is loaded here"

documented "costcurve import json"
[ "$(documented "costcurve keys add" NAME operator | cut -c 1-3)" = cc_ ] || fail "no key is made"
before=$(documents)
start
ok "the daemon serves the catalogue"

echo "# by the operator" >>$config
systemctl enable costcurve-backup.timer >/dev/null 2>&1 || fail "a timer can't be enabled"
systemctl disable costcurve.service >/dev/null 2>&1 || fail "the daemon can't be disabled"
apt install "$newer" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
[ "$(version)" != "$first" ] || fail "still $first"
grep -q "# by the operator" $config || fail "the upgrade overwrote the settings"
[ ! -L $wants ] || fail "the upgrade enabled what the operator had disabled"
[ -L $timer_wants ] || fail "the upgrade disabled the timer that the operator had enabled"
systemctl enable costcurve.service >/dev/null 2>&1 || fail "the daemon can't be enabled"
ready || fail "the upgrade ended the daemon that no systemd looks after"
stop
start
[ "$(documents)" = "$before" ] || fail "the documents are others after the upgrade"
ok "upgraded to $(version) beside a running daemon: settings, documents and units are the operator's"

as_costcurve costcurve-backup
backup=$(ls /var/backups/costcurve/costcurve-*.db)
stop
rm $store
documented "costcurve restore" FILE "$backup"
[ "$(documents)" = "$before" ] || fail "the documents are others after the restore"
ok "backed up and restored"

apt remove costcurve >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
command -v costcurve && fail "the program is still there"
[ -s $store ] && [ -s $config ] || fail "store or settings went with the program"
ok "removed: store and settings are kept"

apt install "$newer" >/tmp/install.log 2>&1 || fail "$(tail -20 /tmp/install.log)"
[ -L $wants ] || fail "the daemon is not enabled again"
[ -L $timer_wants ] || fail "the timer is not enabled again"
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
