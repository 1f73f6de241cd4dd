// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one piece of state that must outlive all others, since signal handlers need
 * it: a process has one terminal. `raw` is set last and cleared first, so that a
 * handler never restores settings that were not saved.
 */
#include "vmm/terminal.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>
#include <unistd.h>

#include "lib/util.h"

static struct termios saved;
static int terminal_fd;
static volatile sig_atomic_t raw;

static void on_fatal_signal(int sig)
{
	terminal_restore();
	raise(sig); /* its action is the default again: SA_RESETHAND */
}

static void catch_fatal_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
	struct sigaction action = {
		.sa_handler = on_fatal_signal,
		.sa_flags = (int)(SA_NODEFER | SA_RESETHAND),
	};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

bool terminal_raw(int fd)
{
	struct termios settings;

	if (!isatty(fd) || tcgetpgrp(fd) != getpgrp() || tcgetattr(fd, &saved))
		return false;
	settings = saved;
	cfmakeraw(&settings);
	terminal_fd = fd;
	catch_fatal_signals();
	raw = 1;
	return !tcsetattr(fd, TCSADRAIN, &settings);
}

void terminal_restore(void)
{
	if (!raw)
		return;
	raw = 0;
	tcsetattr(terminal_fd, TCSADRAIN, &saved);
}
