// SPDX-License-Identifier: GPL-2.0-only
/* vmm/options.c: each option, and what each wrong word is told. */
#include <string.h>

#include "lib/trace.h"
#include "lib/util.h"
#include "tests/unit/unit.h"
#include "vmm/options.h"

static struct run_options o;
static struct why why;
static char words[16][128];

/* Parse "run" and the given words, up to NULL. Copies: the parser may change them. */
static enum options_result parse(const char *const *list)
{
	char *argv[17] = {NULL};
	int argc = 0;

	why.text[0] = '\0';
	for (; *list; list++) {
		ck_assert_int_lt(argc, 16);
		strncpy(words[argc], *list, sizeof(words[0]) - 1);
		words[argc][sizeof(words[0]) - 1] = '\0';
		argv[argc] = words[argc];
		argc++;
	}
	return options_parse(&o, argc, argv, &why);
}

#define PARSE(...) parse((const char *const[]){"run", __VA_ARGS__, NULL})
#define GOOD(...)  ck_assert_msg(PARSE("-k", "K", __VA_ARGS__) == OPTIONS_RUN, "%s", why.text)
#define BAD(message, ...)                                                                          \
	do {                                                                                       \
		ck_assert_int_eq(PARSE(__VA_ARGS__), OPTIONS_BAD);                                 \
		ck_assert_str_eq(why.text, message);                                               \
	} while (0)

START_TEST(defaults)
{
	ck_assert_int_eq(PARSE("-k", "vmlinux"), OPTIONS_RUN);
	ck_assert_str_eq(o.kernel, "vmlinux");
	ck_assert_ptr_null(o.initrd);
	ck_assert_ptr_null(o.dump_dtb);
	ck_assert_ptr_null(o.trace_file);
	ck_assert_str_eq(o.params, "console=hvc0");
	ck_assert_str_eq(o.name, "paprika");
	ck_assert_uint_eq(o.mem, MIB(512));
	ck_assert_uint_eq(o.cpus, 1);
	ck_assert_uint_eq(o.threads, 1);
	ck_assert_int_eq(o.mmu, MMU_AUTO);
	ck_assert_int_eq(o.sandbox, SANDBOX_ON);
	ck_assert(!o.hugetlb && !o.no_reboot);
	ck_assert_uint_eq(o.trace, 0);
	ck_assert_uint_eq(o.nr_loops, 0);
}
END_TEST

START_TEST(every_short_option)
{
	GOOD("-i", "I", "-p", "a b", "-m", "2G", "-c", "8", "-n", "N");
	ck_assert_str_eq(o.kernel, "K");
	ck_assert_str_eq(o.initrd, "I");
	ck_assert_str_eq(o.params, "a b");
	ck_assert_uint_eq(o.mem, GIB(2));
	ck_assert_uint_eq(o.cpus, 8);
	ck_assert_str_eq(o.name, "N");
}
END_TEST

START_TEST(every_long_option)
{
	ck_assert_int_eq(PARSE("--kernel=K", "--initrd=I", "--params", "", "--mem=1048576K",
			       "--cpus=4,threads=4", "--name=N", "--mmu=radix", "--hugetlb",
			       "--no-reboot", "--dump-dtb=D", "--sandbox=log", "--trace=hcall",
			       "--trace-file=T"),
			 OPTIONS_RUN);
	ck_assert_str_eq(o.kernel, "K");
	ck_assert_str_eq(o.initrd, "I");
	ck_assert_str_eq(o.params, "");
	ck_assert_uint_eq(o.mem, GIB(1));
	ck_assert_uint_eq(o.cpus, 4);
	ck_assert_uint_eq(o.threads, 4);
	ck_assert_str_eq(o.name, "N");
	ck_assert_int_eq(o.mmu, MMU_RADIX);
	ck_assert(o.hugetlb && o.no_reboot);
	ck_assert_str_eq(o.dump_dtb, "D");
	ck_assert_int_eq(o.sandbox, SANDBOX_LOG);
	ck_assert_uint_eq(o.trace, TRACE_HCALL);
	ck_assert_str_eq(o.trace_file, "T");
}
END_TEST

START_TEST(every_choice)
{
	GOOD("--mmu=auto", "--sandbox=on");
	ck_assert_int_eq(o.mmu, MMU_AUTO);
	ck_assert_int_eq(o.sandbox, SANDBOX_ON);
	GOOD("--mmu=hpt", "--sandbox=off");
	ck_assert_int_eq(o.mmu, MMU_HPT);
	ck_assert_int_eq(o.sandbox, SANDBOX_OFF);
	ck_assert_uint_eq(o.hpt_order, 0);
	GOOD("--hpt-order=18");
	ck_assert_uint_eq(o.hpt_order, 18);
	GOOD("--hpt-order", "46");
	ck_assert_uint_eq(o.hpt_order, 46);
	GOOD("--trace");
	ck_assert_uint_eq(o.trace, TRACE_ALL);
	GOOD("--trace=exit,irq");
	ck_assert_uint_eq(o.trace, TRACE_EXIT | TRACE_IRQ);
	for (uint32_t t = 1; t <= THREADS_MAX; t *= 2) {
		char text[] = "8,threads=?";

		text[10] = (char)('0' + t);
		GOOD("-c", text);
		ck_assert_uint_eq(o.cpus, 8);
		ck_assert_uint_eq(o.threads, t);
	}
}
END_TEST

START_TEST(the_last_of_two_counts)
{
	GOOD("-m", "1G", "-m", "2G", "-c", "4", "-c", "2");
	ck_assert_uint_eq(o.mem, GIB(2));
	ck_assert_uint_eq(o.cpus, 2);
}
END_TEST

START_TEST(terminals_add_up)
{
	GOOD("--tty=loop");
	ck_assert_uint_eq(o.nr_loops, 1);
	ck_assert_uint_eq(o.lsi_loops, 0);
	GOOD("--tty", "loop-lsi", "--tty=loop", "--tty=loop-lsi");
	ck_assert_uint_eq(o.nr_loops, 3);
	ck_assert_uint_eq(o.lsi_loops, 5);
}
END_TEST

/* --tty=loop so many times. */
static enum options_result parse_ttys(int n)
{
	static char run[] = "run", k[] = "-k", kernel[] = "K", tty[] = "--tty=loop-lsi";
	char *argv[32] = {run, k, kernel};

	for (int i = 0; i < n; i++)
		argv[3 + i] = tty;
	return options_parse(&o, 3 + n, argv, &why);
}

START_TEST(terminals_have_a_limit)
{
	ck_assert_int_eq(parse_ttys(15), OPTIONS_RUN);
	ck_assert_uint_eq(o.nr_loops, 15);
	ck_assert_uint_eq(o.lsi_loops, 0x7fff);
	ck_assert_int_eq(parse_ttys(16), OPTIONS_BAD);
	ck_assert_str_eq(why.text, "16 terminals that loop, limit 15");
}
END_TEST

START_TEST(help_wins)
{
	ck_assert_int_eq(PARSE("--help"), OPTIONS_HELP);
	ck_assert_int_eq(PARSE("-h"), OPTIONS_HELP);
	ck_assert_int_eq(PARSE("-m", "1G", "-h", "--bad"), OPTIONS_HELP);
}
END_TEST

START_TEST(help_tells_of_every_option)
{
	static const char *const names[] = {
		"-k, --kernel", "-i, --initrd", "-p, --params", "-m, --mem",	"-c, --cpus",
		"-n, --name",	"--mmu",	"--hugetlb",	"--no-reboot",	"--dump-dtb",
		"--tty",	"--sandbox",	"--trace",	"--trace-file", "-h, --help",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_contains(run_help, names[i]);
}
END_TEST

START_TEST(the_kernel_is_needed)
{
	ck_assert_int_eq(parse((const char *const[]){"run", NULL}), OPTIONS_BAD);
	ck_assert_str_eq(why.text, "no kernel given (-k FILE)");
	BAD("no kernel given (-k FILE)", "-m", "1G");
}
END_TEST

START_TEST(unknown_words)
{
	BAD("unknown option '-z'", "-z");
	BAD("unknown, ambiguous or misused option '--frob'", "--frob");
	BAD("unknown, ambiguous or misused option '--trac3=x'", "--trac3=x");
	BAD("unknown, ambiguous or misused option '--n'", "--n", "x"); /* name or no-reboot */
	BAD("unknown, ambiguous or misused option '--hugetlb=1'", "--hugetlb=1");
	BAD("unknown, ambiguous or misused option '--help=me'", "--help=me");
	BAD("unexpected word 'extra'", "-k", "K", "extra");
	BAD("unexpected word 'extra'", "extra", "-k", "K");
	BAD("unexpected word 'extra'", "-k", "K", "--", "extra");
	BAD("unexpected word 'hcall'; with a list, it is --trace=hcall", "-k", "K", "--trace",
	    "hcall");
}
END_TEST

START_TEST(missing_values)
{
	BAD("option '-k' needs a value", "-k");
	BAD("option '--mem' needs a value", "-k", "K", "--mem");
	BAD("option '--dump-dtb' needs a value", "--dump-dtb");
}
END_TEST

START_TEST(bad_memory)
{
	BAD("memory size '0' is zero", "-m", "0");
	BAD("memory size '0G' is zero", "-m", "0G");
	BAD("memory size 'abc' is not a number with K, M, G or T", "-m", "abc");
	BAD("memory size '' is not a number with K, M, G or T", "-m", "");
	BAD("memory size '-1' is not a number with K, M, G or T", "-m", "-1");
	BAD("memory size '1 ' is not a number with K, M, G or T", "-m", "1 ");
	BAD("memory size '16777216T' is larger than 64 bits can count", "-m", "16777216T");
	BAD("memory size '99999999999999999999' is larger than 64 bits can count", "-m",
	    "99999999999999999999");
}
END_TEST

START_TEST(bad_processors)
{
	BAD("number of processors '0' is not 1 or more", "-c", "0");
	BAD("number of processors '-1' is not 1 or more", "-c", "-1");
	BAD("number of processors 'abc' is not 1 or more", "-c", "abc");
	BAD("number of processors '' is not 1 or more", "-c", "");
	BAD("number of processors '' is not 1 or more", "-c", ",threads=2");
	BAD("number of processors '4294967296' is above every limit", "-c", "4294967296");
	BAD("number of processors '99999999999999999999' is above every limit", "-c",
	    "99999999999999999999");
	BAD("'' after the number of processors is not threads=T", "-c", "2,");
	BAD("'cores=2' after the number of processors is not threads=T", "-c", "2,cores=2");
	BAD("threads '' is not 1, 2, 4 or 8", "-c", "2,threads=");
	BAD("threads '0' is not 1, 2, 4 or 8", "-c", "2,threads=0");
	BAD("threads '3' is not 1, 2, 4 or 8", "-c", "3,threads=3");
	BAD("threads '16' is not 1, 2, 4 or 8", "-c", "16,threads=16");
	BAD("threads 'two' is not 1, 2, 4 or 8", "-c", "2,threads=two");
	BAD("3 processors do not fill cores of 2 threads", "-k", "K", "-c", "3,threads=2");
}
END_TEST

START_TEST(bad_choices)
{
	BAD("mmu 'hash' is not one of auto, hpt, radix", "--mmu=hash");
	BAD("mmu '' is not one of auto, hpt, radix", "--mmu=");
	BAD("hpt order '17' is not 18 to 46", "--hpt-order=17");
	BAD("hpt order '47' is not 18 to 46", "--hpt-order=47");
	BAD("hpt order '' is not 18 to 46", "--hpt-order=");
	BAD("hpt order '4294967316' is not 18 to 46", "--hpt-order=4294967316");
	BAD("tty 'lopp' is not one of loop, loop-lsi", "--tty=lopp");
	BAD("tty '' is not one of loop, loop-lsi", "--tty=");
	BAD("sandbox 'maybe' is not one of on, log, off", "--sandbox=maybe");
	BAD("trace 'hcalls' is not a list of exit, hcall, rtas, irq, cpu, all", "--trace=hcalls");
	BAD("trace '' is not a list of exit, hcall, rtas, irq, cpu, all", "--trace=");
	BAD("--trace-file 'T' without --trace", "-k", "K", "--trace-file", "T");
}
END_TEST

/* A string of @len bytes as the value of option @opt. */
static enum options_result parse_long(const char *opt, size_t len)
{
	static char text[4096];
	char run[] = "run", k[] = "-k", kernel[] = "K", option[8];
	char *argv[] = {run, k, kernel, option, text, NULL};

	strncpy(option, opt, sizeof(option) - 1);
	option[sizeof(option) - 1] = '\0';
	memset(text, 'a', len);
	text[len] = '\0';
	return options_parse(&o, 5, argv, &why);
}

START_TEST(strings_have_limits)
{
	ck_assert_int_eq(parse_long("-p", PARAMS_MAX), OPTIONS_RUN);
	ck_assert_uint_eq(strlen(o.params), PARAMS_MAX);
	ck_assert_int_eq(parse_long("-p", PARAMS_MAX + 1), OPTIONS_BAD);
	ck_assert_str_eq(why.text, "kernel command line has 2048 bytes, limit 2047");
	ck_assert_int_eq(parse_long("-n", GUEST_NAME_MAX), OPTIONS_RUN);
	ck_assert_int_eq(parse_long("-n", GUEST_NAME_MAX + 1), OPTIONS_BAD);
	ck_assert_str_eq(why.text, "name has 65 bytes, limit 64");
}
END_TEST

START_TEST(parses_again_from_the_start)
{
	BAD("unknown option '-z'", "-k", "K", "-z", "-m", "1G");
	GOOD("-m", "1G");
	ck_assert_uint_eq(o.mem, GIB(1));
}
END_TEST

void options_tests(TCase *tc)
{
	tcase_add_test(tc, defaults);
	tcase_add_test(tc, every_short_option);
	tcase_add_test(tc, every_long_option);
	tcase_add_test(tc, every_choice);
	tcase_add_test(tc, the_last_of_two_counts);
	tcase_add_test(tc, terminals_add_up);
	tcase_add_test(tc, terminals_have_a_limit);
	tcase_add_test(tc, help_wins);
	tcase_add_test(tc, help_tells_of_every_option);
	tcase_add_test(tc, the_kernel_is_needed);
	tcase_add_test(tc, unknown_words);
	tcase_add_test(tc, missing_values);
	tcase_add_test(tc, bad_memory);
	tcase_add_test(tc, bad_processors);
	tcase_add_test(tc, bad_choices);
	tcase_add_test(tc, strings_have_limits);
	tcase_add_test(tc, parses_again_from_the_start);
}
