// SPDX-License-Identifier: GPL-2.0-only
#include "vmm/options.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "devices/vty.h"
#include "lib/size.h"
#include "lib/trace.h"
#include "lib/util.h"
#include "mmu/hpt_size.h"

const char run_help[] =
	"usage: paprika run -k FILE [options]\n"
	"\n"
	"Boot a PAPR guest under KVM and connect its console to standard input and output.\n"
	"\n"
	"  -k, --kernel FILE      ELF64 kernel, either byte order, gzip-compressed or not\n"
	"  -i, --initrd FILE      initial RAM disk\n"
	"  -p, --params STR       kernel command line, at most 2047 bytes (console=hvc0)\n"
	"  -m, --mem SIZE         memory, with K, M, G or T; mebibytes without (512M)\n"
	"  -c, --cpus N[,threads=T]\n"
	"                         virtual processors in all, and threads a core (1,threads=1)\n"
	"  -n, --name NAME        name of the guest, at most 64 bytes (paprika, or paprika-PID if\n"
	"                         that is taken)\n"
	"      --mmu WHICH        hpt, radix or auto: what the host does best (auto)\n"
	"      --hpt WHICH        who serves the page table calls of a hash guest: kernel, or\n"
	"                         user, the monitor's model (kernel)\n"
	"      --hpt-order N      hashed page table of 2^N bytes, 18 to 46 (a 128th of memory)\n"
	"      --hpt-check        with --hpt user: at the end, compare its table with KVM's\n"
	"      --irqchip WHICH    user, the monitor's own XICS, or kernel, KVM's (user)\n"
	"      --hugetlb          back memory with huge pages\n"
	"      --tty WHICH        one more terminal, whose output comes back as its input: loop,\n"
	"                         or loop-lsi with a level-sensitive interrupt; at most 15\n"
	"      --no-reboot        end, with code 10, when the guest asks for a reboot\n"
	"      --dump-dtb FILE    write the guest's device tree to FILE and go on\n"
	"      --sandbox MODE     on, log or off (on)\n"
	"      --trace[=LIST]     trace to standard error: exit, hcall, rtas, irq, cpu or all\n"
	"      --trace-file FILE  trace to FILE instead\n"
	"  -h, --help             show this text\n"
	"\n"
	"On a terminal: Ctrl-A x quits, Ctrl-A Ctrl-A sends one Ctrl-A.\n"
	"\n"
	"Exit codes: 0 guest powered off; 1 the host or the monitor failed; 2 usage;\n"
	"10 reboot under --no-reboot; 11 guest panicked; 12 stopped from outside;\n"
	"13 guest cannot go on; 14 sandbox violation.\n";

enum {
	OPT_MMU = 256,
	OPT_HPT,
	OPT_HPT_ORDER,
	OPT_HPT_CHECK,
	OPT_IRQCHIP,
	OPT_TTY,
	OPT_HUGETLB,
	OPT_NO_REBOOT,
	OPT_DUMP_DTB,
	OPT_SANDBOX,
	OPT_TRACE,
	OPT_TRACE_FILE,
};

static const struct option long_options[] = {
	{"kernel", required_argument, NULL, 'k'},
	{"initrd", required_argument, NULL, 'i'},
	{"params", required_argument, NULL, 'p'},
	{"mem", required_argument, NULL, 'm'},
	{"cpus", required_argument, NULL, 'c'},
	{"name", required_argument, NULL, 'n'},
	{"mmu", required_argument, NULL, OPT_MMU},
	{"hpt", required_argument, NULL, OPT_HPT},
	{"hpt-order", required_argument, NULL, OPT_HPT_ORDER},
	{"hpt-check", no_argument, NULL, OPT_HPT_CHECK},
	{"irqchip", required_argument, NULL, OPT_IRQCHIP},
	{"tty", required_argument, NULL, OPT_TTY},
	{"hugetlb", no_argument, NULL, OPT_HUGETLB},
	{"no-reboot", no_argument, NULL, OPT_NO_REBOOT},
	{"dump-dtb", required_argument, NULL, OPT_DUMP_DTB},
	{"sandbox", required_argument, NULL, OPT_SANDBOX},
	{"trace", optional_argument, NULL, OPT_TRACE},
	{"trace-file", required_argument, NULL, OPT_TRACE_FILE},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Look @text up in a NULL-ended list of words: its place, or -EINVAL. */
static int one_of(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -EINVAL;
}

static int set_mem(struct run_options *o, const char *text, struct why *why)
{
	int err = parse_size(text, &o->mem);

	if (err == -ERANGE)
		return why_set(why, err, "memory size '%s' is larger than 64 bits can count", text);
	if (err)
		return why_set(why, err, "memory size '%s' is not a number with K, M, G or T",
			       text);
	if (!o->mem)
		return why_set(why, -EINVAL, "memory size '%s' is zero", text);
	return 0;
}

static int set_threads(struct run_options *o, const char *text, struct why *why)
{
	uint64_t n;

	if (parse_number(text, THREADS_MAX, &n) || !n || (n & (n - 1)))
		return why_set(why, -EINVAL, "threads '%s' is not 1, 2, 4 or 8", text);
	o->threads = (uint32_t)n;
	return 0;
}

/* N[,threads=T]; @text may be changed. */
static int set_cpus(struct run_options *o, char *text, struct why *why)
{
	static const char key[] = "threads=";
	char *more = strchr(text, ',');
	uint64_t n;
	int err;

	if (more)
		*more++ = '\0';
	err = parse_number(text, UINT32_MAX, &n);
	if (err == -ERANGE)
		return why_set(why, err, "number of processors '%s' is above every limit", text);
	if (err || !n)
		return why_set(why, -EINVAL, "number of processors '%s' is not 1 or more", text);
	o->cpus = (uint32_t)n;
	if (!more)
		return 0;
	if (strncmp(more, key, strlen(key)))
		return why_set(why, -EINVAL, "'%s' after the number of processors is not threads=T",
			       more);
	return set_threads(o, more + strlen(key), why);
}

static int set_hpt_order(struct run_options *o, const char *text, struct why *why)
{
	uint64_t n;

	if (parse_number(text, HPT_ORDER_MAX, &n) || n < HPT_ORDER_MIN)
		return why_set(why, -EINVAL, "hpt order '%s' is not %d to %d", text, HPT_ORDER_MIN,
			       HPT_ORDER_MAX);
	o->hpt_order = (uint32_t)n;
	return 0;
}

static int set_choice(const char *option, const char *text, const char *const *words, int *choice,
		      struct why *why)
{
	*choice = one_of(text, words);
	if (*choice >= 0)
		return 0;
	return why_set(why, -EINVAL, "%s '%s' is not one of %s, %s%s%s", option, text, words[0],
		       words[1], words[2] ? ", " : "", words[2] ? words[2] : "");
}

static int add_tty(struct run_options *o, const char *text, struct why *why)
{
	static const char *const kinds[] = {"loop", "loop-lsi", NULL};
	int lsi = one_of(text, kinds);

	if (lsi < 0)
		return why_set(why, lsi, "tty '%s' is not one of %s, %s", text, kinds[0], kinds[1]);
	if (o->nr_loops == VTY_LOOPS_MAX)
		return why_set(why, -E2BIG, "%u terminals that loop, limit %u", o->nr_loops + 1,
			       VTY_LOOPS_MAX);
	o->lsi_loops |= (uint32_t)lsi << o->nr_loops++;
	return 0;
}

static int set_bounded(const char **to, const char *what, const char *text, size_t max,
		       struct why *why)
{
	if (strlen(text) > max)
		return why_set(why, -E2BIG, "%s has %zu bytes, limit %zu", what, strlen(text), max);
	*to = text;
	return 0;
}

static int set_trace(struct run_options *o, const char *list, struct why *why)
{
	if (trace_parse(list ? list : "all", &o->trace))
		return why_set(why, -EINVAL,
			       "trace '%s' is not a list of exit, hcall, rtas, irq, cpu, all",
			       list);
	return 0;
}

static int set_option(struct run_options *o, int opt, char *arg, struct why *why)
{
	static const char *const mmus[] = {"auto", "hpt", "radix", NULL};
	static const char *const hpts[] = {"kernel", "user", NULL};
	static const char *const irqchips[] = {"user", "kernel", NULL};
	static const char *const sandboxes[] = {"on", "log", "off", NULL};
	int choice, err;

	switch (opt) {
	case 'k':
		o->kernel = arg;
		return 0;
	case 'i':
		o->initrd = arg;
		return 0;
	case 'p':
		return set_bounded(&o->params, "kernel command line", arg, PARAMS_MAX, why);
	case 'n':
		o->named = true;
		return set_bounded(&o->name, "name", arg, GUEST_NAME_MAX, why);
	case 'm':
		return set_mem(o, arg, why);
	case 'c':
		return set_cpus(o, arg, why);
	case OPT_MMU:
		err = set_choice("mmu", arg, mmus, &choice, why);
		o->mmu = (enum mmu_choice)choice;
		return err;
	case OPT_HPT:
		err = set_choice("hpt", arg, hpts, &choice, why);
		o->hpt = (enum hpt_choice)choice;
		return err;
	case OPT_IRQCHIP:
		err = set_choice("irqchip", arg, irqchips, &choice, why);
		o->irqchip = (enum irqchip_choice)choice;
		return err;
	case OPT_SANDBOX:
		err = set_choice("sandbox", arg, sandboxes, &choice, why);
		o->sandbox = (enum sandbox_mode)choice;
		return err;
	case OPT_TTY:
		return add_tty(o, arg, why);
	case OPT_HPT_ORDER:
		return set_hpt_order(o, arg, why);
	case OPT_HPT_CHECK:
		o->hpt_check = true;
		return 0;
	case OPT_HUGETLB:
		o->hugetlb = true;
		return 0;
	case OPT_NO_REBOOT:
		o->no_reboot = true;
		return 0;
	case OPT_DUMP_DTB:
		o->dump_dtb = arg;
		return 0;
	case OPT_TRACE:
		return set_trace(o, arg, why);
	default:
		o->trace_file = arg;
		return 0;
	}
}

static enum options_result bad_word(int opt, char **argv, struct why *why)
{
	const char *word = argv[optind > 0 ? optind - 1 : 0];

	if (opt == ':')
		why_set(why, -EINVAL, "option '%s' needs a value", word);
	else if (optopt && optopt < 256 && optopt != 'h') /* 'h' is --help=VALUE */
		why_set(why, -EINVAL, "unknown option '-%c'", optopt);
	else
		why_set(why, -EINVAL, "unknown, ambiguous or misused option '%s'", word);
	return OPTIONS_BAD;
}

/* An optional value is not a word of its own. */
static void unexpected(char **argv, struct why *why)
{
	bool value = optind > 1 && !strcmp(argv[optind - 1], "--trace");

	why_set(why, -EINVAL, "unexpected word '%s'%s%s", argv[optind],
		value ? "; with a list, it is --trace=" : "", value ? argv[optind] : "");
}

/* What only makes sense together. */
static int check(const struct run_options *o, struct why *why)
{
	if (!o->kernel)
		return why_set(why, -EINVAL, "no kernel given (-k FILE)");
	if (o->trace_file && !o->trace)
		return why_set(why, -EINVAL, "--trace-file '%s' without --trace", o->trace_file);
	if (o->hpt_check && o->hpt != HPT_USER)
		return why_set(why, -EINVAL, "--hpt-check without --hpt user");
	if (o->mmu == MMU_RADIX && (o->hpt == HPT_USER || o->hpt_order))
		return why_set(why, -EINVAL, "%s is for hash guests, not with --mmu radix",
			       o->hpt == HPT_USER ? "--hpt user" : "--hpt-order");
	if (o->cpus % o->threads)
		return why_set(why, -EINVAL, "%u processors do not fill cores of %u threads",
			       o->cpus, o->threads);
	return 0;
}

enum options_result options_parse(struct run_options *o, int argc, char **argv, struct why *why)
{
	int opt;

	*o = (struct run_options){.params = "console=hvc0",
				  .name = "paprika",
				  .mem = MIB(512),
				  .cpus = 1,
				  .threads = 1};
	optind = 0; /* start over: GNU getopt's word for it */
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+:k:i:p:m:c:n:h", long_options, NULL)) != -1) {
		if (opt == 'h')
			return OPTIONS_HELP;
		if (opt == '?' || opt == ':')
			return bad_word(opt, argv, why);
		if (set_option(o, opt, optarg, why))
			return OPTIONS_BAD;
	}
	if (optind < argc) {
		unexpected(argv, why);
		return OPTIONS_BAD;
	}
	return check(o, why) ? OPTIONS_BAD : OPTIONS_RUN;
}
