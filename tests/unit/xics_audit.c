// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/xics_audit.h"

#include "devices/xics/internal.h"

const char *audit_presenter(struct xics *xics, uint32_t server, bool line)
{
	struct xics_presenter *icp = presenter_at(xics, server);
	uint64_t word = atomic_load(&icp->word);
	uint32_t xisr = icp_xisr(word);
	struct xics_source *s;

	if ((xisr == XICS_NONE) != (icp_pending(word) == XICS_MASKED))
		return "XISR is 0 and a priority is pending, or the reverse";
	if (xisr == XICS_IPI && icp_pending(word) != icp_mfrr(word))
		return "an IPI is pending with another priority than MFRR's";
	if (xisr != XICS_NONE && icp_pending(word) >= icp_cppr(word))
		return "what is pending is not more favoured than CPPR";
	if (!icp_is_valid(word) || (word & 0xffff & ~ICP_NEED_RESEND))
		return "a presenter's state cannot be";
	if (icp_output(word) && !line)
		return "something is pending and the line is down";
	if (line && !icp_output(word) && atomic_load(&icp->raised) == icp->raised_seen)
		return "the line is up for nothing and nobody would lower it";
	if (xisr == XICS_NONE || xisr == XICS_IPI)
		return NULL;
	s = source_at(xics, xisr);
	if (!s)
		return "a source is pending that does not exist";
	return atomic_load(&s->word) & SOURCE_PRESENTED ? NULL : "a pending source is not P";
}

static uint32_t holders(struct xics *xics, uint32_t source)
{
	uint32_t n = 0;

	for (uint32_t server = 0; server < xics->nr_servers; server++)
		n += icp_xisr(atomic_load(&xics->presenters[server].word)) == source;
	return n;
}

/* A source that waits: its presenter would not take it, and will look for it. */
static const char *audit_waiting(struct xics *xics, uint32_t source, uint64_t word)
{
	uint32_t server = (uint32_t)(word & SOURCE_SERVER), block = source / XICS_BLOCK;
	struct xics_presenter *icp = presenter_at(xics, server);
	uint64_t now = atomic_load(&icp->word);

	if (word & (SOURCE_MASKED | SOURCE_PENDING))
		return "a masked source waits for a presenter";
	if (!(now & ICP_NEED_RESEND))
		return "a source waits and its presenter does not know";
	if (!(atomic_load(&icp->blocks[block / 64]) >> block % 64 & 1))
		return "a source waits and its block is not marked";
	if (icp_would_take(now, (uint8_t)(word >> SOURCE_PRIORITY_SHIFT)))
		return "a source waits that its presenter would take";
	return NULL;
}

const char *audit_source(struct xics *xics, uint32_t source)
{
	struct xics_source *s = source_at(xics, source);
	uint64_t word = atomic_load(&s->word);
	bool waits = source_waits(xics, source), lsi = word & SOURCE_LSI;
	uint32_t held = holders(xics, source);

	if (word & SOURCE_LOCKED)
		return "a source is locked";
	if (held > 1)
		return "a source is pending at two presenters";
	if ((waits || (word & SOURCE_PENDING)) && held)
		return "a source is pending at a presenter and waits";
	if ((waits || (word & (SOURCE_PENDING | SOURCE_QUEUED))) && !(word & SOURCE_PRESENTED))
		return "a source waits or is queued and is not P";
	if ((word & SOURCE_PENDING) && !(word & SOURCE_MASKED))
		return "a source is held back by a mask that it does not have";
	if (lsi && (word & SOURCE_QUEUED))
		return "an LSI is queued";
	if (!lsi && (word & SOURCE_ASSERTED))
		return "an MSI has a level";
	if ((word & SOURCE_ASSERTED) && !(word & SOURCE_PRESENTED))
		return "an asserted LSI is not P";
	if (lsi && !(word & SOURCE_ASSERTED) && (waits || (word & SOURCE_PENDING)))
		return "an LSI that fell waits";
	return waits ? audit_waiting(xics, source, word) : NULL;
}

const char *audit(struct xics *xics, const bool *lines)
{
	const char *fault = NULL;

	for (uint32_t server = 0; !fault && server < xics->nr_servers; server++)
		fault = audit_presenter(xics, server, lines[server]);
	for (uint32_t n = xics_next_source(xics, 0); !fault && n < XICS_SOURCE_END;
	     n = xics_next_source(xics, n + 1))
		fault = audit_source(xics, n);
	return fault;
}

bool audit_is_idle(struct xics *xics, uint32_t source)
{
	uint64_t word = atomic_load(&source_at(xics, source)->word);

	return !(word & (SOURCE_PRESENTED | SOURCE_QUEUED | SOURCE_PENDING)) &&
	       !source_waits(xics, source);
}
