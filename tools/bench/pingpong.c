// SPDX-License-Identifier: GPL-2.0-only
/*
 * pingpong: two processes wake each other in turns, through pipes.
 *
 *   pingpong CPU CPU ROUNDS
 *
 * On two CPUs each goes to sleep while the other works, so that a round has two wake-ups
 * from idle. Prints "pingpong: ticks N rounds N", ticks of the timebase. The first tenth
 * of the rounds is not counted.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ROUNDS 1000000

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		fprintf(stderr, "pingpong: CPU %d: %s\n", cpu, strerror(errno));
		exit(1);
	}
}

static int number(const char *text, int least, int most)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < least || n > most) {
		fprintf(stderr, "pingpong: '%s' is not %d to %d\n", text, least, most);
		exit(2);
	}
	return (int)n;
}

/* Pass a byte on, so often. */
static void rounds(int from, int to, int count)
{
	char c = 0;

	while (count--)
		if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
			exit(1);
}

int main(int argc, char **argv)
{
	unsigned long began, ended;
	int there[2], back[2], count, cpus[2];
	char c;

	if (argc != 4) {
		fputs("usage: pingpong CPU CPU ROUNDS\n", stderr);
		return 2;
	}
	cpus[0] = number(argv[1], 0, CPU_SETSIZE - 1);
	cpus[1] = number(argv[2], 0, CPU_SETSIZE - 1);
	count = number(argv[3], 1, MAX_ROUNDS);
	if (pipe(there) || pipe(back)) {
		perror("pingpong: pipe");
		return 1;
	}
	if (!fork()) {
		close(there[1]);
		close(back[0]);
		pin(cpus[1]);
		while (read(there[0], &c, 1) == 1)
			if (write(back[1], &c, 1) != 1)
				break;
		_exit(0);
	}
	pin(cpus[0]);
	rounds(back[0], there[1], count / 10 + 1);
	began = __builtin_ppc_get_timebase();
	rounds(back[0], there[1], count);
	ended = __builtin_ppc_get_timebase();
	printf("pingpong: ticks %lu rounds %d\n", ended - began, count);
	return 0;
}
