/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * XICS, the PAPR "PowerPC External Interrupt" option: sources (ICS) deliver
 * interrupts to presenters (ICP), one a server, that is one a virtual processor.
 *
 * The model knows nothing of KVM or of hypercalls; faces in hcall/ decode for it.
 * Names are PAPR's: CPPR (current processor priority), MFRR (most favoured request
 * register), XISR (interrupt source), XIRR (CPPR and XISR in one word). Priority 0
 * is the most favoured, 0xff is none and, for a source, masked.
 */
#ifndef DEVICES_XICS_XICS_H
#define DEVICES_XICS_XICS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define XICS_IPI     2	  /* the source number of an interprocessor interrupt */
#define XICS_MASKED  0xff /* the priority of a masked source */
#define XICS_XISR(x) ((x)&0xffffff)
#define XICS_CPPR(x) ((x) >> 24)

struct xics_ops {
	/* Set server @server's external interrupt line. Called with the lock held. */
	void (*set_line)(void *ctx, uint32_t server, bool level);
};

struct xics_source {
	uint32_t server;
	uint8_t priority, saved_priority;
	bool lsi;
	bool presented;	     /* P; for an LSI, its level */
	bool queued;	     /* Q: an MSI that came between presentation and EOI */
	bool masked_pending; /* came while masked */
	bool resend;	     /* came, or was rejected, while its server was busy */
};

struct xics_presenter {
	uint8_t cppr, mfrr, pending_priority;
	uint32_t xisr;
	bool line;
};

struct xics {
	pthread_mutex_t lock;
	struct xics_presenter *presenters;
	struct xics_source *sources;
	uint32_t nr_servers, first_source, nr_sources;
	const struct xics_ops *ops;
	void *ctx;
};

/**
 * xics_init - servers 0 .. @nr_servers - 1, sources from @first_source on
 *
 * All sources are masked MSIs at first. 0 or -ENOMEM.
 */
int xics_init(struct xics *xics, uint32_t nr_servers, uint32_t first_source, uint32_t nr_sources,
	      const struct xics_ops *ops, void *ctx);
void xics_fini(struct xics *xics);

/* As after power-on. Levels of LSIs stay, since devices drive them. */
void xics_reset(struct xics *xics);

/* A device's side. A source that does not exist is a fault of the caller. */
void xics_set_lsi(struct xics *xics, uint32_t source, bool lsi);
void xics_pulse(struct xics *xics, uint32_t source);
void xics_set_level(struct xics *xics, uint32_t source, bool level);

/*
 * A processor's side (PAPR H_XIRR, H_CPPR, H_EOI, H_IPI, H_IPOLL). @server must
 * exist for accept, set_cppr and eoi, which act for the calling processor; ipi and
 * ipoll take the server from the guest: -EINVAL where there is none. xics_eoi gives
 * -EINVAL for a source that does not exist, with the CPPR restored all the same.
 */
uint32_t xics_accept(struct xics *xics, uint32_t server);
void xics_set_cppr(struct xics *xics, uint32_t server, uint8_t cppr);
int xics_eoi(struct xics *xics, uint32_t server, uint32_t xirr);
int xics_ipi(struct xics *xics, uint32_t server, uint8_t mfrr);
int xics_ipoll(struct xics *xics, uint32_t server, uint32_t *xirr, uint8_t *mfrr);

/*
 * The RTAS side (ibm,set-xive, ibm,get-xive, ibm,int-on, ibm,int-off). -EINVAL for a
 * source or a server that does not exist.
 */
int xics_set_xive(struct xics *xics, uint32_t source, uint32_t server, uint8_t priority);
int xics_get_xive(struct xics *xics, uint32_t source, uint32_t *server, uint8_t *priority);
int xics_int_on(struct xics *xics, uint32_t source);
int xics_int_off(struct xics *xics, uint32_t source);

#endif
