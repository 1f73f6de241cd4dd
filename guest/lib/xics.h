/* SPDX-License-Identifier: GPL-2.0-only */
/* The interrupt presentation hypercalls, for the CPU that makes them. */
#ifndef GUEST_XICS_H
#define GUEST_XICS_H

#include "cpu.h"
#include "hcall.h"

/* The interrupt number of every IPI, and the priority of none. */
#define XICS_IPI	 2
#define XICS_PRI_ALL	 0xff
#define XIRR_SOURCE(v)	 ((v)&0xffffff)
#define XIRR_PRIORITY(v) ((v) >> 24)

/* Accept what is pending: the old CPPR and the source, 0 for none. */
static inline u32 xics_accept(void)
{
	struct hcall h = {{H_XIRR}};

	hcall_do(&h);
	return (u32)h.r[1];
}

/* What H_XIRR would give for @server, and its MFRR in @mfrr. */
static inline u32 xics_poll(u32 server, u32 *mfrr)
{
	struct hcall h = {{H_IPOLL, server}};

	hcall_do(&h);
	*mfrr = (u32)h.r[2];
	return (u32)h.r[1];
}

static inline long xics_end(u32 xirr)
{
	return hcall(H_EOI, xirr);
}

/* Accept interrupts more favoured than @priority. */
static inline long xics_set_cppr(u32 priority)
{
	return hcall(H_CPPR, priority);
}

/* Request an IPI of @priority from @server; XICS_PRI_ALL takes the request back. */
static inline long xics_ipi(u64 server, u32 priority)
{
	return hcall(H_IPI, server, priority);
}

#endif
