// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOCKING
 *
 * vty->lock protects the queues and all flags. It is a leaf but for one callback: the
 * others run after it was dropped. They may therefore come late (the queue was
 * emptied in between) or twice; each is a hint to look again, so neither harms.
 *
 * A level is no hint: the one that is set last stays. ->set_level of a loop is called
 * with the lock held, so that levels come in the order of what they tell; it takes locks
 * of the interrupt controller, which never calls back here.
 */
#include "devices/vty.h"

#include <errno.h>

#define VTY_OUT_SIZE 65536
#define VTY_IN_SIZE  4096

int vty_init(struct vty *vty, const struct vty_ops *ops, void *ctx)
{
	*vty = (struct vty){.ops = ops, .ctx = ctx};
	pthread_mutex_init(&vty->lock, NULL);
	if (ring_init(&vty->out, VTY_OUT_SIZE) || ring_init(&vty->in, VTY_IN_SIZE)) {
		vty_fini(vty);
		return -ENOMEM;
	}
	return 0;
}

int vty_init_loop(struct vty *vty, const struct vty_loop_ops *ops, void *ctx)
{
	*vty = (struct vty){.loop = ops, .ctx = ctx};
	pthread_mutex_init(&vty->lock, NULL);
	if (ring_init(&vty->in, VTY_IN_SIZE)) {
		vty_fini(vty);
		return -ENOMEM;
	}
	return 0;
}

void vty_fini(struct vty *vty)
{
	ring_free(&vty->out);
	ring_free(&vty->in);
	pthread_mutex_destroy(&vty->lock);
	*vty = (struct vty){0};
}

/* With the lock held: there was input, or none, and now it may be the other way. */
static void update_level(struct vty *vty, bool before)
{
	bool level = ring_used(&vty->in) > 0;

	if (level != before && vty->loop && vty->loop->set_level)
		vty->loop->set_level(vty->ctx, level);
}

void vty_reset(struct vty *vty)
{
	bool room, level;

	pthread_mutex_lock(&vty->lock);
	level = ring_used(&vty->in) > 0;
	ring_clear(&vty->in);
	update_level(vty, level);
	room = vty->in_blocked;
	vty->in_blocked = false;
	pthread_mutex_unlock(&vty->lock);

	if (room)
		vty->ops->input_room(vty->ctx);
}

/* Nothing is ever lost here: the guest can make room itself. */
static int write_loop(struct vty *vty, const void *from, size_t len)
{
	bool level, fits;

	pthread_mutex_lock(&vty->lock);
	level = ring_used(&vty->in) > 0;
	fits = ring_room(&vty->in) >= len;
	if (fits)
		ring_put(&vty->in, from, len);
	update_level(vty, level);
	pthread_mutex_unlock(&vty->lock);

	if (fits && len && vty->loop->pulse)
		vty->loop->pulse(vty->ctx);
	return fits ? 0 : -EAGAIN;
}

int vty_write(struct vty *vty, const void *from, size_t len)
{
	bool was_empty, fits, refused;

	if (vty->loop)
		return write_loop(vty, from, len);
	pthread_mutex_lock(&vty->lock);
	was_empty = ring_used(&vty->out) == 0;
	fits = ring_room(&vty->out) >= len;
	if (fits)
		ring_put(&vty->out, from, len);
	else if (vty->drop)
		vty->dropped += len;
	refused = !fits && !vty->drop;
	pthread_mutex_unlock(&vty->lock);

	if (fits && was_empty && len)
		vty->ops->output_ready(vty->ctx);
	return refused ? -EAGAIN : 0;
}

size_t vty_read(struct vty *vty, void *to, size_t len)
{
	bool room = false, level;
	size_t n;

	pthread_mutex_lock(&vty->lock);
	level = ring_used(&vty->in) > 0;
	n = ring_take(&vty->in, to, len);
	update_level(vty, level);
	if (n && vty->in_blocked) {
		vty->in_blocked = false;
		room = true;
	}
	pthread_mutex_unlock(&vty->lock);

	if (room)
		vty->ops->input_room(vty->ctx);
	return n;
}

size_t vty_output(struct vty *vty, void *to, size_t len)
{
	size_t n;

	pthread_mutex_lock(&vty->lock);
	n = ring_take(&vty->out, to, len);
	pthread_mutex_unlock(&vty->lock);
	return n;
}

size_t vty_input(struct vty *vty, const void *from, size_t len)
{
	size_t n;

	pthread_mutex_lock(&vty->lock);
	n = ring_put(&vty->in, from, len);
	vty->in_blocked = n < len;
	pthread_mutex_unlock(&vty->lock);

	if (n)
		vty->ops->interrupt(vty->ctx);
	return n;
}

void vty_set_drop(struct vty *vty, bool drop)
{
	pthread_mutex_lock(&vty->lock);
	vty->drop = drop;
	pthread_mutex_unlock(&vty->lock);
}

uint64_t vty_dropped(struct vty *vty)
{
	uint64_t dropped;

	pthread_mutex_lock(&vty->lock);
	dropped = vty->dropped;
	pthread_mutex_unlock(&vty->lock);
	return dropped;
}

void vty_fdt(struct fdtw *w, uint32_t unit, uint32_t source, bool lsi)
{
	fdtw_begin(w, "vty@%x", unit);
	fdtw_string(w, "device_type", "serial");
	fdtw_string(w, "compatible", "hvterm1");
	fdtw_u32s(w, "reg", unit);
	fdtw_u32s(w, "interrupts", source, lsi);
	fdtw_end(w);
}
