// Static data that points to static data: lists, trees, tables of tables.
//@ expect: right
#include "collection.h"

struct node { uint64_t value; const struct node *left, *right; const char *name; };
static const struct node leaf = {3, 0, 0, "leaf"}, other = {5, 0, &leaf, "other"};
static const struct node root = {7, &leaf, &other, "root"};
static const struct node *const roots[] = {&root, &other, &leaf};
static struct list { struct list *next; uint64_t n; } third = {0, 30}, second = {&third, 20}, first = {&second, 10};
static struct list *head = &first;
static const unsigned char *const inside = (const unsigned char *)&root + 8;

static uint64_t sum(const struct node *n) { return n ? n->value + 3 * (n->left ? n->left->value : 1) + 5 * (n->right ? n->right->value : 2) + n->name[1] : 0; }

uint64_t test(uint64_t x) {
	uint64_t s = sum(roots[x % 3]) + (inside == (const unsigned char *)&root.left);
	for (struct list *l = head; l; l = l->next)
		s = s * 3 + l->n;
	head->n += x;
	head = head->next ? head->next : &first;
	return s;
}
