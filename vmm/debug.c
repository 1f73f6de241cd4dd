// SPDX-License-Identifier: GPL-2.0-only
/* paprika debug: ask a running guest's monitor, over its control socket (control.h). */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/size.h"
#include "lib/stop.h"
#include "lib/util.h"
#include "lib/why.h"
#include "vmm/control.h"
#include "vmm/options.h"
#include "vmm/verbs.h"

static const char help[] =
	"usage: paprika debug [options] irqchip|calls|hpt|translate ADDRESS\n"
	"\n"
	"Look into a running guest's monitor.\n"
	"\n"
	"  irqchip              the interrupt controller: presenters, sources, counters\n"
	"  calls                how often each hypercall came to the monitor\n"
	"  hpt                  compare the hashed page table with KVM's (run --hpt user);\n"
	"                       ends with 1 if they differ\n"
	"  translate ADDRESS    how data at an effective address would be found now;\n"
	"                       ends with 1 if it would not\n"
	"\n"
	"  -n, --name NAME      the guest's name (paprika)\n"
	"  -c, --cpu N          translate on processor N (0)\n"
	"      --json           irqchip as JSON\n"
	"      --load FILE      set irqchip's state from lines that this printed; - is standard "
	"input\n"
	"  -h, --help           show this text\n";

struct request {
	const char *name, *what, *load;
	uint64_t cpu, address;
	bool json;
};

static int connect_to(const char *name, struct why *why)
{
	struct sockaddr_un address;
	socklen_t len = control_address(name, &address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, len))
		return fd;
	if (fd >= 0 && errno == ECONNREFUSED)
		why_set(why, -ESRCH, "no guest named '%s' runs here", name);
	else
		why_set(why, -errno, "cannot reach guest '%s': %s", name, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -ESRCH;
}

static int send_all(int fd, const char *from, size_t len)
{
	while (len) {
		ssize_t n = send(fd, from, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -errno;
		from += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* A file's contents after the request's line. */
static int send_file(int fd, const char *path, struct why *why)
{
	char buf[4096];
	size_t n, total = 0;
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int err = 0;

	if (!f)
		return why_set(why, -errno, "%s: %s", path, strerror(errno));
	while (!err && (n = fread(buf, 1, sizeof(buf), f)) > 0) {
		total += n;
		if (total >= CONTROL_REQUEST_MAX)
			err = why_set(why, -E2BIG, "%s has more than %d bytes", path,
				      CONTROL_REQUEST_MAX);
		else if ((err = send_all(fd, buf, n)))
			why_set(why, err, "cannot send %s: %s", path, strerror(-err));
	}
	if (!err && ferror(f))
		err = why_set(why, -EIO, "%s: cannot be read", path);
	if (f != stdin)
		fclose(f);
	return err;
}

/* The answer's first line says how it went; the rest goes out, or is the reason. */
static int receive(int fd, struct why *why)
{
	FILE *f = fdopen(fd, "re");
	char line[4096];
	int err = 0;

	if (!f) {
		close(fd);
		return why_set(why, -errno, "%s", strerror(errno));
	}
	if (!fgets(line, sizeof(line), f)) {
		err = why_set(why, -EPIPE, "the monitor gave no answer");
	} else if (!strcmp(line, "failed\n")) {
		if (!fgets(line, sizeof(line), f))
			strcpy(line, "no reason given");
		line[strcspn(line, "\n")] = '\0';
		err = why_set(why, -EINVAL, "%s", line);
	} else {
		if (!strcmp(line, "differ\n"))
			err = -EILSEQ;
		while (fgets(line, sizeof(line), f))
			fputs(line, stdout);
	}
	fclose(f);
	return err;
}

/* The request's line, and for some a word or two after it. */
static void write_request(const struct request *r, char *to, size_t size)
{
	if (!strcmp(r->what, "irqchip"))
		snprintf(to, size, "irqchip %s\n", r->load ? "load" : r->json ? "json" : "text");
	else if (!strcmp(r->what, "translate"))
		snprintf(to, size, "translate\n%llu %#llx\n", (unsigned long long)r->cpu,
			 (unsigned long long)r->address);
	else
		snprintf(to, size, "%s\n", r->what);
}

static int ask(const struct request *r, struct why *why)
{
	int fd = connect_to(r->name, why), err;
	char text[64];

	if (fd < 0)
		return fd;
	write_request(r, text, sizeof(text));
	err = send_all(fd, text, strlen(text));
	if (err)
		why_set(why, err, "cannot ask: %s", strerror(-err));
	if (!err && r->load)
		err = send_file(fd, r->load, why);
	if (err) {
		close(fd);
		return err;
	}
	shutdown(fd, SHUT_WR);
	return receive(fd, why);
}

/* A number in C's notation that fills all of @text. */
static int parse_address(const char *text, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(text, &end, 0);
	return errno || end == text || *end || *text == '-' ? -EINVAL : 0;
}

/* The words after the options: what to look at, and where. */
static int set_subject(struct request *r, int argc, char **argv, struct why *why)
{
	static const char *const subjects[] = {"irqchip", "calls", "hpt", "translate"};
	int used = 1;

	for (size_t i = 0; argc && i < ARRAY_SIZE(subjects); i++)
		if (!strcmp(argv[0], subjects[i]))
			r->what = subjects[i];
	if (!r->what)
		return why_set(why, -EINVAL,
			       "'%s' is not what can be looked at: irqchip, calls, hpt, translate",
			       argc ? argv[0] : "");
	if (!strcmp(r->what, "translate")) {
		if (argc < 2 || parse_address(argv[1], &r->address))
			return why_set(why, -EINVAL, "translate '%s': no address of 64 bits",
				       argc < 2 ? "" : argv[1]);
		used = 2;
	}
	if (argc > used)
		return why_set(why, -EINVAL, "unexpected word '%s'", argv[used]);
	if ((r->load || r->json) && strcmp(r->what, "irqchip"))
		return why_set(why, -EINVAL, "--%s is for irqchip, not %s",
			       r->load ? "load" : "json", r->what);
	if (r->load && r->json)
		return why_set(why, -EINVAL, "--load takes lines, not --json");
	return 0;
}

static int set_option(struct request *r, int opt, const char *word, struct why *why)
{
	switch (opt) {
	case 'n':
		r->name = optarg;
		if (strlen(optarg) > GUEST_NAME_MAX)
			return why_set(why, -E2BIG, "name has %zu bytes, limit %d", strlen(optarg),
				       GUEST_NAME_MAX);
		return 0;
	case 'c':
		return parse_number(optarg, UINT32_MAX, &r->cpu)
			       ? why_set(why, -EINVAL, "cpu '%s' is not a number", optarg)
			       : 0;
	case 'j':
		r->json = true;
		return 0;
	case 'l':
		r->load = optarg;
		return 0;
	default:
		return why_set(why, -EINVAL, "unknown or misused option '%s'", word);
	}
}

/* 0, 1 for --help, or negative errno. */
static int parse(struct request *r, int argc, char **argv, struct why *why)
{
	static const struct option options[] = {
		{"name", required_argument, NULL, 'n'}, {"cpu", required_argument, NULL, 'c'},
		{"json", no_argument, NULL, 'j'},	{"load", required_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},	{NULL, 0, NULL, 0},
	};
	int opt, err;

	*r = (struct request){.name = "paprika"};
	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":n:c:h", options, NULL)) != -1) {
		if (opt == 'h')
			return 1;
		err = set_option(r, opt, argv[optind - 1], why);
		if (err)
			return err;
	}
	return set_subject(r, argc - optind, argv + optind, why);
}

int verb_debug(int argc, char **argv)
{
	struct request request;
	struct why why;
	int err = parse(&request, argc, argv, &why);

	if (err > 0) {
		fputs(help, stdout);
		return 0;
	}
	if (err) {
		fprintf(stderr, "paprika debug: %s\n", why.text);
		return EXIT_USAGE;
	}
	err = ask(&request, &why);
	if (err && err != -EILSEQ) /* which was said where it was printed */
		fprintf(stderr, "paprika: %s\n", why.text);
	return err ? EXIT_FAILED : 0;
}
