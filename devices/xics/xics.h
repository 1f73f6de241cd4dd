/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * XICS, the PAPR "PowerPC External Interrupt" option: sources (ICS) deliver
 * interrupts to presenters (ICP), one a server, that is one a virtual processor.
 *
 * The model knows nothing of KVM or of hypercalls; faces in hcall/ decode for it.
 * docs/XICS.md lays it beside the PAPR; internal.h says what may happen at once.
 * Names are PAPR's: CPPR (current processor priority), MFRR (most favoured request
 * register), XISR (interrupt source), XIRR (CPPR and XISR in one word). Priority 0
 * is the most favoured, 0xff is none and, for a source, masked.
 */
#ifndef DEVICES_XICS_XICS_H
#define DEVICES_XICS_XICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/xics/icp.h"

#define XICS_SERVERS_MAX  4096
#define XICS_BLOCK	  1024 /* sources a block */
#define XICS_BLOCKS_MAX	  1024 /* blocks, so 1 M sources */
#define XICS_SOURCE_FIRST 16   /* lower numbers are no sources, the IPI among them */
#define XICS_SOURCE_END	  (XICS_BLOCK * XICS_BLOCKS_MAX)

struct xics_ops {
	/*
	 * Raise server @server's external interrupt line, and get the processor to see it
	 * if it sleeps or runs on another thread; true if that was so. Any thread. It must
	 * not be seen before what its caller did before.
	 */
	bool (*raise)(void *ctx, uint32_t server);
	/*
	 * Lower it, before what the caller does next. Only on the processor's own thread,
	 * or while that is parked.
	 */
	void (*lower)(void *ctx, uint32_t server);
};

struct xics_presenter;
struct xics_block;

struct xics {
	struct xics_presenter *presenters;
	uint32_t nr_servers;
	uint32_t nr_blocks; /* one more than the last that was ever used */
	const struct xics_ops *ops;
	void *ctx;
	struct xics_block **blocks; /* XICS_BLOCKS_MAX, NULL where unused */
};

/**
 * xics_init - servers 0 .. @nr_servers - 1, and no source yet
 *
 * 0, -EINVAL for more than XICS_SERVERS_MAX servers, or -ENOMEM with nothing left.
 */
int xics_init(struct xics *xics, uint32_t nr_servers, const struct xics_ops *ops, void *ctx);
void xics_fini(struct xics *xics);

/**
 * xics_add_source - make a source exist, masked
 * @lsi: level-sensitive, else message-signalled
 *
 * Before anything else is done with the model. Memory is taken a block at a time. 0,
 * -EINVAL for a number that no source can have, or -ENOMEM.
 */
int xics_add_source(struct xics *xics, uint32_t source, bool lsi);

/*
 * As after power-on. Levels of LSIs stay, since devices drive them. Processors must be
 * parked; devices may go on.
 */
void xics_reset(struct xics *xics);

/*
 * A device's side, from any thread: an edge of an MSI, the level of an LSI. No lock but
 * the source's own is taken. -EINVAL for a source that does not exist or is of the other
 * kind.
 */
int xics_pulse(struct xics *xics, uint32_t source);
int xics_set_level(struct xics *xics, uint32_t source, bool level);

/*
 * A processor's side (PAPR H_XIRR, H_CPPR, H_EOI, H_IPI, H_IPOLL). accept, set_cppr and
 * eoi act for the calling processor @server, on its own thread; so does ipi where
 * @self is the server it names, which comes from the guest as ipoll's does. -EINVAL for
 * a server that does not exist; xics_eoi gives it for a source that does not exist, too,
 * with the CPPR restored all the same.
 */
int xics_accept(struct xics *xics, uint32_t server, uint32_t *xirr);
int xics_set_cppr(struct xics *xics, uint32_t server, uint8_t cppr);
int xics_eoi(struct xics *xics, uint32_t server, uint32_t xirr);
int xics_ipi(struct xics *xics, uint32_t self, uint32_t server, uint8_t mfrr);
int xics_ipoll(struct xics *xics, uint32_t server, uint32_t *xirr, uint8_t *mfrr);

/*
 * The RTAS side (ibm,set-xive, ibm,get-xive, ibm,int-on, ibm,int-off). -EINVAL for a
 * source or a server that does not exist.
 */
int xics_set_xive(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority);
int xics_get_xive(struct xics *xics, uint32_t source, uint32_t *server, uint8_t *priority);
int xics_int_on(struct xics *xics, uint32_t source);
int xics_int_off(struct xics *xics, uint32_t source);

/*
 * State, in KVM's form: a presenter's word as KVM_REG_PPC_ICP_STATE has it, a source's
 * as KVM_DEV_XICS_GRP_SOURCES has it (linux/kvm.h, KVM_XICS_*). Processors must be
 * parked. Load presenters first: a source that moved while it was presented is else
 * taken by its new server, too. What was there and is displaced is forgotten, not
 * delivered again. -EINVAL for what does not exist and for a state that cannot be, with
 * the old one left in place.
 */
#define XICS_SOURCE_STATE 0x00001fffffffffffull /* the bits that a source's state has */

int xics_get_presenter(struct xics *xics, uint32_t server, uint64_t *state);
int xics_set_presenter(struct xics *xics, uint32_t server, uint64_t state);
int xics_get_source(struct xics *xics, uint32_t source, uint64_t *state);
int xics_set_source(struct xics *xics, uint32_t source, uint64_t state);

/* The first source from number @from on, or XICS_SOURCE_END. */
uint32_t xics_next_source(const struct xics *xics, uint32_t from);

/* What happened since xics_init, counted modulo 2^32 (2^64). Any thread, any time. */
struct xics_source_counters {
	uint32_t delivered; /* to a presenter */
	uint32_t rejected;  /* by one that something more favoured reached */
	uint32_t resent;    /* offered again after they waited */
	uint32_t coalesced; /* edges that came while another was queued */
};

struct xics_presenter_counters {
	uint64_t delivered; /* interrupts accepted, IPIs included */
	uint64_t ipis;	    /* of which IPIs */
	uint64_t rejected;  /* sources sent back */
	uint64_t resent;    /* sources offered again */
	uint64_t raised;    /* times the line went up */
	uint64_t lowered;   /* times it went down */
	uint64_t kicks;	    /* of the raised, those from another thread */
};

int xics_source_counters(const struct xics *xics, uint32_t source, struct xics_source_counters *c);
int xics_presenter_counters(const struct xics *xics, uint32_t server,
			    struct xics_presenter_counters *c);

#endif
