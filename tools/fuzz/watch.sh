#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a guest, and look at its monitor as long as it lives: watch.sh NAME COMMAND...
#
# Lines on standard error that begin with "watch:" are for tools/fuzz/judge.py. The status is
# that of COMMAND. SIGUSR2 says that nothing moves: who hangs is looked at, and all ended by
# force.
name=$1
shift
# Seconds for the monitor to answer one question; and in all, as it may be about to begin, or to
# end, which takes its time on a busy machine
: "${ANSWER:=10}"
PATIENCE=30

# The signal comes to all of us; the monitor is not to mind.
(trap '' USR2; exec "$@") </dev/null &
pid=$!

lives() { grep -qs '^State:.[^ZX]' /proc/$pid/status; }
uptime() { cut -d . -f 1 /proc/uptime; }
debug() { timeout "$ANSWER" paprika debug -n "$name" "$@" 2>&1; }

# Who hangs? First what names it, then all that can be told of it from here.
# shellcheck disable=SC2317 # the trap gets there
look() {
	trap '' USR2
	echo "watch: look"
	before=$(debug calls)
	status=$?
	sleep 2
	after=$(debug calls)
	calls=come
	[ "$before" != "$after" ] || calls=stand
	lives || status=ended
	echo "watch: hangs debug=$status calls=$calls"
	echo "$before"
	echo "$after"
	debug irqchip
	for task in /proc/"$pid"/task/*; do
		echo "$task $(cat "$task/comm"): system call $(cat "$task/syscall")"
		cat "$task/stack"
	done
	# Only a host of our own is asked what waits in its kernel.
	if [ "${PAPRIKA_BOX:-direct}" != direct ]; then
		echo w >/proc/sysrq-trigger
		dmesg | tail -n 300
	fi
	kill -KILL "$pid"
	exit 124
} >&2
trap look USR2

# The monitor's answer in $said, its status in $status
ask() {
	late=$(($(uptime) + PATIENCE))
	while :; do
		said=$(debug calls)
		status=$?
		[ "$status" != 0 ] || break
		[ "$(uptime)" -lt $late ] || break
		sleep 1
		lives || break
	done
}

looks=0
while usleep 500000; do
	lives || break
	looks=$((looks + 1))
	[ $((looks % 4)) = 1 ] || continue
	ask
	files=$(find /proc/$pid/fd -type l 2>/dev/null | wc -l)
	# Those of io_uring are the kernel's, and come and go.
	threads=$(cat /proc/$pid/task/*/comm 2>/dev/null | grep -vc '^iou-')
	rss=$(awk '/^VmRSS/ { print $2 }' /proc/$pid/status 2>/dev/null)
	lives || break
	[ "$status" = 0 ] || echo "watch: debug ended with $status: $said" >&2
	echo "watch: files $files threads $threads rss $rss" >&2
done
wait $pid
status=$?
sync
read -r files _ </proc/sys/fs/file-nr
echo "watch: host free $(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" \
	"files $files left $(pidof paprika | wc -w)" >&2
exit $status
