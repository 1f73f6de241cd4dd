// SPDX-License-Identifier: GPL-2.0-only
/* The flattened device tree, read in place (Devicetree Specification 0.4, chapter 5). */
#include "dt.h"

#define FDT_MAGIC      0xd00dfeed
#define FDT_BEGIN_NODE 1
#define FDT_END_NODE   2
#define FDT_PROP       3
#define FDT_NOP	       4

struct fdt_header {
	be32_t magic;
	be32_t totalsize;
	be32_t off_dt_struct;
	be32_t off_dt_strings;
	be32_t off_mem_rsvmap;
	be32_t version;
	be32_t last_comp_version;
	be32_t boot_cpuid_phys;
};

struct fdt_prop {
	be32_t tag;
	be32_t len;
	be32_t nameoff;
	char value[];
};

static const struct fdt_header *header;
static const char *structs, *strings;

static u32 cell(const void *p)
{
	return be32_get(*(const be32_t *)p);
}

static u32 tag(int off)
{
	return cell(structs + off);
}

static const char *node_name(int node)
{
	return structs + node + 4;
}

/* The offset of the tag that follows the one at @off. */
static int next(int off)
{
	switch (tag(off)) {
	case FDT_BEGIN_NODE:
		return off + 4 + (int)((strlen(node_name(off)) + 4) & ~3ul);
	case FDT_PROP:
		return off + (int)sizeof(struct fdt_prop) +
		       (int)((cell(structs + off + 4) + 3) & ~3u);
	default:
		return off + 4;
	}
}

/* Over properties and padding to the next tag that opens or closes a node. */
static int skip_props(int off)
{
	while (tag(off) == FDT_PROP || tag(off) == FDT_NOP)
		off = next(off);
	return off;
}

/* The tag after the FDT_END_NODE of @node. */
static int after(int node)
{
	int depth = 0;

	do {
		if (tag(node) == FDT_BEGIN_NODE)
			depth++;
		else if (tag(node) == FDT_END_NODE)
			depth--;
		node = next(node);
	} while (depth);
	return node;
}

bool dt_init(const void *fdt)
{
	header = fdt;
	if (!header || be32_get(header->magic) != FDT_MAGIC)
		return false;
	structs = (const char *)fdt + be32_get(header->off_dt_struct);
	strings = (const char *)fdt + be32_get(header->off_dt_strings);
	return true;
}

bool dt_lies_in(u64 address, u64 size)
{
	u64 start = (u64)header;

	return start < address + size && address < start + be32_get(header->totalsize);
}

int dt_root(void)
{
	return skip_props(0);
}

int dt_child(int parent, int prev)
{
	int off = skip_props(prev == NO_NODE ? next(parent) : after(prev));

	return tag(off) == FDT_BEGIN_NODE ? off : NO_NODE;
}

/* Does @name, with its unit address or without, equal the @len bytes at @want? */
static bool name_is(const char *name, const char *want, size_t len)
{
	return !strncmp(name, want, len) && (!name[len] || name[len] == '@');
}

int dt_find(const char *path)
{
	int node = dt_root();

	while (node != NO_NODE) {
		size_t len = 0;
		int child;

		while (*path == '/')
			path++;
		if (!*path || *path == ':')
			return node;
		while (path[len] && path[len] != '/' && path[len] != ':')
			len++;
		child = dt_child(node, NO_NODE);
		while (child != NO_NODE && !name_is(node_name(child), path, len))
			child = dt_child(node, child);
		node = child;
		path += len;
	}
	return NO_NODE;
}

const void *dt_next_prop(int node, const void *prev, const char **name, u32 *len)
{
	const struct fdt_prop *prop;
	int off = node;

	if (prev)
		off = (int)((const char *)prev - structs) - (int)sizeof(*prop);
	do
		off = next(off);
	while (tag(off) == FDT_NOP);
	if (tag(off) != FDT_PROP)
		return NULL;
	prop = (const void *)(structs + off);
	*name = strings + be32_get(prop->nameoff);
	if (len)
		*len = be32_get(prop->len);
	return prop->value;
}

const void *dt_prop(int node, const char *name, u32 *len)
{
	const void *value = NULL;
	const char *this;

	if (node == NO_NODE)
		return NULL;
	do
		value = dt_next_prop(node, value, &this, len);
	while (value && strcmp(this, name));
	return value;
}

u32 dt_u32(int node, const char *name, u32 absent)
{
	u32 len;
	const void *value = dt_prop(node, name, &len);

	return value && len >= 4 ? cell(value) : absent;
}

bool dt_is(int node, const char *name, const char *value)
{
	const char *is = dt_prop(node, name, NULL);

	return is && !strcmp(is, value);
}

u32 dt_boot_server(void)
{
	return be32_get(header->boot_cpuid_phys);
}

static u64 cell_pair(const void *p)
{
	return (u64)cell(p) << 32 | cell((const char *)p + 4);
}

struct memory {
	u64 size, end, real_mode_end;
};

static void add_memory(struct memory *m, const char *reg, u32 len)
{
	for (; len >= 16; len -= 16, reg += 16) {
		u64 base = cell_pair(reg), size = cell_pair(reg + 8);

		m->size += size;
		if (base + size > m->end)
			m->end = base + size;
		if (base == 0)
			m->real_mode_end = size;
	}
}

/* All memory nodes together. */
static struct memory memory(void)
{
	int node, root = dt_root();
	struct memory m = {0};

	for (node = dt_child(root, NO_NODE); node != NO_NODE; node = dt_child(root, node)) {
		u32 len;
		const char *reg = dt_prop(node, "reg", &len);

		if (reg && dt_is(node, "device_type", "memory"))
			add_memory(&m, reg, len);
	}
	return m;
}

u64 dt_memory_end(void)
{
	return memory().end;
}

u64 dt_memory_size(void)
{
	return memory().size;
}

u64 dt_real_mode_end(void)
{
	return memory().real_mode_end;
}

bool dt_radix(void)
{
	u32 len;
	const u8 *vec5 = dt_prop(dt_find("/chosen"), "ibm,architecture-vec-5", &len);

	/* Byte 24: the MMU: 0 is hash, 0x40 radix (PAPR, option vector 5). */
	return vec5 && len > 24 && (vec5[24] & 0xc0) == 0x40;
}

const char *dt_bootargs(void)
{
	const char *args = dt_prop(dt_find("/chosen"), "bootargs", NULL);

	return args ? args : "";
}

/* The word of the command line after @args, where a word begins, or NULL. */
static const char *next_word(const char *args)
{
	while (*args && *args != ' ')
		args++;
	while (*args == ' ')
		args++;
	return *args ? args : NULL;
}

static const char *first_word(void)
{
	const char *args = dt_bootargs();

	return *args == ' ' || !*args ? next_word(args) : args;
}

bool dt_bootarg(const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = first_word(); at; at = next_word(at))
		if (!strncmp(at, word, len) && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

u64 dt_bootarg_number(const char *name, u64 absent)
{
	size_t len = strlen(name);
	const char *at;
	u64 n = 0;

	for (at = first_word(); at; at = next_word(at))
		if (!strncmp(at, name, len) && at[len] == '=')
			break;
	if (!at)
		return absent;
	for (at += len + 1; *at >= '0' && *at <= '9'; at++)
		n = n * 10 + (u64)(*at - '0');
	return n;
}
