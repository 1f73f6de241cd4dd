/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The virtual terminal (PAPR "client vterm", hvterm1): two byte queues between
 * the guest's H_PUT_TERM_CHAR / H_GET_TERM_CHAR and whoever owns the other end.
 * The model never blocks: a full output queue makes the guest retry, a full
 * input queue makes the owner wait.
 *
 * A terminal that loops has one queue and no owner: what the guest writes is what it
 * reads, so that it can make interrupts of a source by itself.
 */
#ifndef DEVICES_VTY_H
#define DEVICES_VTY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/fdtw.h"
#include "lib/ring.h"

#define VTY_UNIT_ADDRESS 0x71000000 /* the console's "reg", any value does; loops follow */
#define VTY_LOOPS_MAX	 15	    /* Linux knows 16 terminals */
#define VTY_CHARS_MAX	 16	    /* what one hypercall carries: two registers */

struct vty_ops {
	/* Output is there to take, after there was none. */
	void (*output_ready)(void *ctx);
	/* Input has room, after it had none. */
	void (*input_room)(void *ctx);
	/* Input is there for the guest, after there was less: its interrupt. */
	void (*interrupt)(void *ctx);
};

/* A loop has one of these, as its interrupt is an edge or a level. */
struct vty_loop_ops {
	/* Input is there, after there was less. */
	void (*pulse)(void *ctx);
	/* Whether there is input, when that changes; in order, with the terminal locked. */
	void (*set_level)(void *ctx, bool level);
};

struct vty {
	pthread_mutex_t lock;
	struct ring out, in;
	bool in_blocked;  /* the owner could not put all it had */
	bool drop;	  /* output that finds the queue full is lost, not refused */
	uint64_t dropped; /* bytes so lost */
	const struct vty_ops *ops;
	const struct vty_loop_ops *loop; /* instead: output comes back as input */
	void *ctx;
};

/* 0 or -ENOMEM. */
int vty_init(struct vty *vty, const struct vty_ops *ops, void *ctx);
int vty_init_loop(struct vty *vty, const struct vty_loop_ops *ops, void *ctx);
void vty_fini(struct vty *vty);

/* Forget input that a guest before the reset did not read. Output stays. */
void vty_reset(struct vty *vty);

/*
 * The guest's side. vty_write takes all @len <= VTY_CHARS_MAX bytes or none: 0,
 * or -EAGAIN. vty_read gives at most @len bytes, and how many.
 */
int vty_write(struct vty *vty, const void *from, size_t len);
size_t vty_read(struct vty *vty, void *to, size_t len);

/*
 * The owner's side: take output, put input. Each returns how many bytes went. When
 * vty_input could not put all, ->input_room says when to try again.
 */
size_t vty_output(struct vty *vty, void *to, size_t len);
size_t vty_input(struct vty *vty, const void *from, size_t len);

/*
 * The owner cannot get rid of output (or can again): let the guest go on without. A guest
 * that is refused spins, as Linux does when it prints; that must not last for good.
 */
void vty_set_drop(struct vty *vty, bool drop);

/* Bytes that were dropped until now. */
uint64_t vty_dropped(struct vty *vty);

/* The device's node, a child of /vdevice, with an interrupt of @source, a level if @lsi. */
void vty_fdt(struct fdtw *w, uint32_t unit, uint32_t source, bool lsi);

#endif
