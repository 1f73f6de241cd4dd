#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a guest, and look at its monitor as long as it lives: watch.sh NAME COMMAND...
#
# Lines on standard error that begin with "watch:" are for tools/fuzz/judge.py. The status is
# that of COMMAND.
name=$1
shift
"$@" </dev/null &
pid=$!

lives() { grep -qs '^State:.[^ZX]' /proc/$pid/status; }

looks=0
while usleep 500000; do
	lives || break
	looks=$((looks + 1))
	[ $((looks % 4)) = 1 ] || continue
	# It may be about to begin, or to end; on a busy machine that takes its time.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		said=$(timeout 30 paprika debug -n "$name" calls 2>&1)
		status=$?
		[ "$status" != 0 ] || break
		sleep 1
		lives || break 2
	done
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
