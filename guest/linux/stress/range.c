// SPDX-License-Identifier: GPL-2.0-only
/*
 * What it takes to change a range of pages, by its length: the kernel chooses between
 * flushing pages one by one and all of the process. The time counted is that in the calls.
 *
 * A translation that outlives the call is found: a write to pages that cannot be written must
 * fault, and pages that were replaced must not be seen again. With -g a second thread, on
 * another CPU, looks for the same all the time.
 */
#include "stress.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

/* Every so many rounds the first thread tries to write where it must not. */
#define TRY_EVERY 16
/* Nothing else is near: the page tables of what is mapped here go with it. */
#define FAR	0x10000000000ull
#define FAR_GAP 0x100000000ull

/*
 * LOCKING: the first thread alone changes the pages. STATE counts its changes: it is odd while
 * pages surely cannot be written, and while it is the same before and after an access of
 * the second thread, the access was to pages in that state. GENERATION is what was last written
 * to all pages; a page never shows an older one, but may be new, and then is 0.
 */
static struct {
	struct worker *w;
	_Atomic(uint64_t *) pages;
	_Atomic uint64_t state, generation;
	_Atomic bool over;
	pthread_t thread;
} area;

static __thread sigjmp_buf fault_return;
static __thread volatile sig_atomic_t fault_expected;

static void on_fault(int number)
{
	if (fault_expected)
		siglongjmp(fault_return, 1);
	/* By default this ends the process. */
	signal(number, SIG_DFL);
}

static void expect_faults(void)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};

	sigaction(SIGSEGV, &action, NULL);
}

/* Does a write fault? What is there stays there. */
static bool write_faults(_Atomic uint64_t *p)
{
	bool faulted = true;

	if (!sigsetjmp(fault_return, 0)) {
		fault_expected = 1;
		atomic_fetch_or(p, 0);
		faulted = false;
	}
	fault_expected = 0;
	return faulted;
}

static _Atomic uint64_t *page_at(uint64_t *pages, size_t page)
{
	return (_Atomic uint64_t *)(pages + page * page_size() / 8);
}

static void write_pages(uint64_t *pages, uint64_t n)
{
	for (size_t i = 0; i < options->pages; i++)
		atomic_store(page_at(pages, i), n);
}

static void compare_pages(struct worker *w, uint64_t *pages, uint64_t n)
{
	for (size_t i = 0; i < options->pages; i++) {
		uint64_t is = atomic_load(page_at(pages, i));

		if (is != n)
			mismatch(w, "page %zu is %llu, should be %llu", i, (unsigned long long)is,
				 (unsigned long long)n);
	}
}

/* Reads one page; false if it faults. */
static bool read_page(_Atomic uint64_t *p, uint64_t *n)
{
	if (sigsetjmp(fault_return, 0)) {
		fault_expected = 0;
		return false;
	}
	fault_expected = 1;
	*n = atomic_load(p);
	fault_expected = 0;
	return true;
}

/* The second thread. */
static void *look(void *arg)
{
	struct worker *w = area.w;

	(void)arg;
	stay_on(w->number + 1);
	for (size_t i = 0; !atomic_load(&area.over); i++) {
		uint64_t *pages = atomic_load(&area.pages), before, is;
		_Atomic uint64_t *p;

		if (!pages)
			continue;
		p = page_at(pages, i % options->pages);
		before = atomic_load(&area.generation);
		if (read_page(p, &is) && is && is < before)
			mismatch(w, "the other CPU reads %llu after %llu", (unsigned long long)is,
				 (unsigned long long)before);
		before = atomic_load(&area.state);
		if (before % 2 && !write_faults(p) && atomic_load(&area.state) == before)
			mismatch(w, "the other CPU can write what cannot be written");
	}
	return NULL;
}

static void begin(struct worker *w)
{
	expect_faults();
	area.w = w;
	if (options->global && pthread_create(&area.thread, NULL, look, NULL))
		give_up(w, "pthread_create");
}

static void end(void)
{
	atomic_store(&area.over, true);
	if (options->global)
		pthread_join(area.thread, NULL);
}

/* A call, and the time that it takes. */
#define TIMED(w, call)                                                                             \
	do {                                                                                       \
		uint64_t begun_ = now_ns();                                                        \
		if (call)                                                                          \
			give_up(w, #call);                                                         \
		atomic_fetch_add(&(w)->ns, now_ns() - begun_);                                     \
	} while (0)

static void run_mprotect(struct worker *w)
{
	size_t size = options->pages * page_size();
	uint64_t *pages = map_pages(w, options->pages), n = 0;

	begin(w);
	write_pages(pages, ++n);
	atomic_store(&area.generation, n);
	atomic_store(&area.pages, pages);
	do {
		TIMED(w, mprotect(pages, size, PROT_READ));
		atomic_fetch_add(&area.state, 1);
		compare_pages(w, pages, n);
		if (n % TRY_EVERY == 0 && !write_faults(page_at(pages, n % options->pages)))
			mismatch(w, "what cannot be written was written");
		atomic_fetch_add(&area.state, 1);
		if (mprotect(pages, size, PROT_READ | PROT_WRITE))
			give_up(w, "mprotect");
		write_pages(pages, ++n);
		atomic_store(&area.generation, n);
	} while (next_round(w));
	end();
}

/* Map, fill, unmap; EDGES pages at both ends stay, and with them the page tables. */
static void unmap_rounds(struct worker *w, size_t edges)
{
	size_t size = options->pages * page_size(), edge = edges * page_size();
	char *all = (char *)(FAR + w->number * FAR_GAP);
	uint64_t *pages = (uint64_t *)(all + edge), n = 0;

	begin(w);
	if (edges && mmap(all, size + 2 * edge, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != all)
		give_up(w, "mmap");
	if (edges)
		all[0] = all[size + 2 * edge - 1] = 1;
	do {
		if (mmap(pages, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != pages)
			give_up(w, "mmap");
		write_pages(pages, ++n);
		atomic_store(&area.generation, n);
		atomic_store(&area.pages, pages);
		compare_pages(w, pages, n);
		TIMED(w, munmap(pages, size));
		if (n % TRY_EVERY == 0 && !write_faults(page_at(pages, 0)))
			mismatch(w, "what is not mapped was written");
	} while (next_round(w));
	end();
}

static void run_munmap(struct worker *w)
{
	unmap_rounds(w, 1);
}

static void run_teardown(struct worker *w)
{
	unmap_rounds(w, 0);
}

const struct load loads_range[] = {
	{"mprotect", "calls", run_mprotect, true},
	{"munmap", "calls", run_munmap, true},
	{"teardown", "calls", run_teardown, true},
	{NULL, NULL, NULL, false},
};
