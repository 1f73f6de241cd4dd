// SPDX-License-Identifier: GPL-2.0-only
/*
 * paprika run. The order matters: open everything, create the machine, give up
 * privileges, then load the guest and run it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "hcall/rtas_fdt.h"
#include "lib/util.h"
#include "vmm/console.h"
#include "vmm/control.h"
#include "vmm/image.h"
#include "vmm/loop.h"
#include "vmm/terminal.h"
#include "vmm/verbs.h"
#include "vmm/vm.h"

#define STUCK_MS    5000 /* output that does not move for so long is dropped */
#define PATIENCE_MS 2000 /* and at the end, the rest after so long */
#define HURRY_MS    100	 /* or so, after a signal */

/* What other threads tell the loop: bits of run.events. */
enum { EVENT_STOPPED = 1, EVENT_OUTPUT = 2, EVENT_INPUT_ROOM = 4 };

struct run {
	struct run_options options;
	struct image kernel, initrd;
	struct trace trace;
	int dump_fd;
	struct vm *vm;
	struct loop loop;
	struct console console;
	struct control control;

	atomic_uint events;
	int event_fd, signal_fd;
	struct loop_op event_op, signal_op;
	uint64_t event_count;
	struct signalfd_siginfo signal;
	bool stopped;	  /* the machine has a stop reason */
	bool interrupted; /* a signal came that means to end */
};

/*
 * Any thread. The write is needed only when the loop may have seen no bit: it clears
 * all at once after it woke up.
 */
static void notify(struct run *r, unsigned int event)
{
	uint64_t one = 1;
	ssize_t n;

	if (atomic_fetch_or(&r->events, event))
		return;
	n = write(r->event_fd, &one, sizeof(one));
	(void)n; /* cannot fail: the counter does not overflow */
}

static void on_stopped(void *ctx)
{
	notify(ctx, EVENT_STOPPED);
}

static void on_output_ready(void *ctx)
{
	notify(ctx, EVENT_OUTPUT);
}

static void on_input_room(void *ctx)
{
	notify(ctx, EVENT_INPUT_ROOM);
}

static void wait_for_event(struct run *r)
{
	loop_read(&r->loop, &r->event_op, r->event_fd, &r->event_count, sizeof(r->event_count));
}

static void on_event(struct loop_op *op, int res)
{
	struct run *r = container_of(op, struct run, event_op);
	unsigned int events = atomic_exchange(&r->events, 0);

	(void)res;
	if (events & EVENT_OUTPUT)
		console_output(&r->console);
	if (events & EVENT_INPUT_ROOM)
		console_input(&r->console);
	if (events & EVENT_STOPPED)
		r->stopped = true;
	wait_for_event(r);
}

static void wait_for_signal(struct run *r)
{
	loop_read(&r->loop, &r->signal_op, r->signal_fd, &r->signal, sizeof(r->signal));
}

/* Stopped by job control: leave the terminal as the shell wants it meanwhile. */
static void suspend(struct run *r)
{
	bool raw = r->console.terminal;

	if (raw)
		terminal_restore();
	raise(SIGSTOP);
	if (raw)
		terminal_raw(r->console.in_fd);
}

static void on_signal(struct loop_op *op, int res)
{
	struct run *r = container_of(op, struct run, signal_op);

	if (res == sizeof(r->signal)) {
		if (r->signal.ssi_signo == SIGTSTP) {
			suspend(r);
		} else {
			r->interrupted = true;
			vm_stop(r->vm, STOP_OUTSIDE);
		}
	}
	wait_for_signal(r);
}

static void on_quit_key(void *ctx)
{
	struct run *r = ctx;

	vm_stop(r->vm, STOP_OUTSIDE);
}

static int open_for_writing(const char *what, const char *path, struct why *why)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	return fd < 0 ? why_set(why, -errno, "%s %s: %s", what, path, strerror(errno)) : fd;
}

static int open_trace(struct run *r, struct why *why)
{
	r->trace.kinds = r->options.trace;
	r->trace.start_ns = now_ns();
	r->trace.fd = STDERR_FILENO;
	if (r->options.trace_file)
		r->trace.fd = open_for_writing("trace", r->options.trace_file, why);
	return r->trace.fd < 0 ? r->trace.fd : 0;
}

/* Every file by name, now: later none can be opened. */
static int open_files(struct run *r, struct why *why)
{
	int err = image_open(&r->kernel, "kernel", r->options.kernel, why);

	if (!err && r->options.initrd)
		err = image_open(&r->initrd, "initrd", r->options.initrd, why);
	if (!err && r->options.dump_dtb) {
		r->dump_fd = open_for_writing("device tree", r->options.dump_dtb, why);
		err = r->dump_fd < 0 ? r->dump_fd : 0;
	}
	if (!err && r->options.trace)
		err = open_trace(r, why);
	return err;
}

/* Signals come to the loop; a pipe that closes is an error of write, not a signal. */
static int set_up_signals(struct run *r, struct why *why)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	/* A terminal in the background gives errors instead of stopping us. */
	sigaddset(&set, SIGTTIN);
	sigaddset(&set, SIGTTOU);
	if (r->signal_fd < 0 || pthread_sigmask(SIG_BLOCK, &set, NULL))
		return why_set(why, -errno, "cannot set up signals: %s", strerror(errno));
	return 0;
}

static int set_up_loop(struct run *r, struct why *why)
{
	int err = loop_init(&r->loop, why);

	if (err)
		return err;
	r->event_fd = eventfd(0, EFD_CLOEXEC);
	if (r->event_fd < 0)
		return why_set(why, -errno, "cannot create an eventfd: %s", strerror(errno));
	err = set_up_signals(r, why);
	if (err)
		return err;
	r->event_op.done = on_event;
	r->signal_op.done = on_signal;
	wait_for_event(r);
	wait_for_signal(r);
	err = console_init(&r->console, &r->loop, &vm_machine(r->vm)->vty, STDIN_FILENO,
			   STDOUT_FILENO, on_quit_key, r);
	return err ? why_set(why, err, "no memory for the console") : 0;
}

static int dump_tree(struct run *r, const struct gmem *mem, struct why *why)
{
	const struct layout *l = &vm_platform(r->vm)->layout;
	uint32_t size;
	const char *at;

	if (r->dump_fd < 0)
		return 0;
	gmem_read_be32(mem, l->fdt + 4, &size); /* totalsize */
	at = gmem_ptr(mem, l->fdt, size);
	while (size) {
		ssize_t n = write(r->dump_fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return why_set(why, -EIO, "device tree %s: %s", r->options.dump_dtb,
				       strerror(errno));
		at += n;
		size -= (uint32_t)n;
	}
	close(r->dump_fd);
	r->dump_fd = -1;
	return 0;
}

/* Put kernel, initrd, RTAS and tree in memory, and let processor 0 go. */
static int load_guest(struct run *r, struct why *why)
{
	const struct gmem *mem = &vm_machine(r->vm)->mem;
	struct platform *p = vm_platform(r->vm);
	struct layout *l = &p->layout;
	struct elf_image elf;
	int err = image_parse_kernel(&r->kernel, &elf, why);

	if (err)
		return err;
	*l = (struct layout){
		.mem_size = p->mem_size,
		.rma_size = p->rma_size,
		.initrd_size = r->options.initrd ? r->initrd.size : 0,
		.fdt_size = fdt_size_bound(p),
	};
	err = layout_place(l, &elf, why);
	if (!err)
		err = fdt_build(p, gmem_ptr(mem, l->fdt, l->fdt_size), l->fdt_size, why);
	if (!err)
		err = dump_tree(r, mem, why);
	if (!err)
		err = image_load_kernel(&r->kernel, &elf, mem, why);
	if (!err && l->initrd_size)
		err = image_load_raw(&r->initrd, mem, l->initrd, why);
	if (!err && rtas_load(mem, l->rtas))
		err = why_set(why, -EFAULT, "no memory at %#llx for RTAS",
			      (unsigned long long)l->rtas);
	if (!err)
		vm_boot(r->vm, elf.entry, l->fdt);
	return err;
}

/* Until the machine stops for good; 0 with a reason, or negative errno. */
static int run_loop(struct run *r, struct why *why)
{
	for (;;) {
		int err = loop_step(&r->loop, console_is_writing(&r->console) ? STUCK_MS : -1);

		if (err == -ETIME)
			console_is_stuck(&r->console);
		else if (err)
			return why_set(why, err, "io_uring: %s", strerror(-err));
		if (!r->stopped)
			continue;
		if (vm_stop_reason(r->vm) != STOP_REBOOT || r->options.no_reboot)
			return 0;
		r->stopped = false;
		err = vm_reset(r->vm, why);
		if (!err)
			err = load_guest(r, why);
		if (err)
			return err;
	}
}

static int start(struct run *r, struct why *why)
{
	static const struct vm_events events = {
		.stopped = on_stopped,
		.output_ready = on_output_ready,
		.input_room = on_input_room,
	};
	struct vm_events mine = events;
	int err = open_files(r, why);

	mine.ctx = r;
	if (!err)
		err = vm_create(&r->vm, &r->options, r->options.trace ? &r->trace : NULL, &mine,
				why);
	if (err)
		return err;
	vm_platform(r->vm)->console_input = console_input_kind(STDIN_FILENO);
	err = control_open(&r->control, r->options.name, !r->options.named, why);
	if (!err)
		err = set_up_loop(r, why);
	if (!err)
		err = sandbox_drop(r->options.sandbox, terminal_restore, why);
	if (!err)
		err = vm_start_threads(r->vm, why);
	if (!err)
		err = sandbox_enter(SANDBOX_LOOP, why);
	if (!err)
		err = load_guest(r, why);
	if (err)
		return err;
	control_start(&r->control, &r->loop, r->vm);
	console_start(&r->console);
	return run_loop(r, why);
}

/* Say why it ended, unless that is what everyone wants; the exit code. */
static int finish(struct run *r, int err, const struct why *why)
{
	enum stop_reason reason = err ? STOP_HOST : vm_stop_reason(r->vm);
	uint64_t lost = 0;

	if (err && r->vm)
		vm_stop(r->vm, STOP_HOST); /* or it would go on printing */
	if (r->console.loop)
		lost = console_drain(&r->console, r->interrupted ? HURRY_MS : PATIENCE_MS);
	terminal_restore();
	if (lost)
		fprintf(stderr, "paprika: %llu bytes of console output could not be written\n",
			(unsigned long long)lost);
	if (err)
		fprintf(stderr, "paprika: %s\n", why->text);
	else if (*vm_stop_text(r->vm))
		fprintf(stderr, "paprika: %s: %s\n", stop_name(reason), vm_stop_text(r->vm));
	else if (reason != STOP_POWER_OFF)
		fprintf(stderr, "paprika: %s\n", stop_name(reason));
	if (r->options.hpt_check && !err && !vm_check_hpt(r->vm))
		return EXIT_FAILED;
	return stop_exit_code(reason);
}

static void clean_up(struct run *r)
{
	if (r->vm)
		vm_join(r->vm);
	if (r->console.loop) {
		console_fini(&r->console);
		loop_fini(&r->loop);
	}
	control_fini(&r->control);
	if (r->vm)
		vm_destroy(r->vm);
	image_close(&r->kernel);
	image_close(&r->initrd);
}

int run_guest(const struct run_options *options)
{
	static struct run run = {.kernel.fd = -1,
				 .initrd.fd = -1,
				 .dump_fd = -1,
				 .control.fd = -1,
				 .event_fd = -1,
				 .signal_fd = -1};
	struct run *r = &run;
	struct why why;
	int err, code;

	r->options = *options;
	err = start(r, &why);
	code = finish(r, err, &why);
	clean_up(r);
	return code;
}
