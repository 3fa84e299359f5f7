// Defines an exported function for each program of a batch. The function calls the program's main. programs.h lists the programs.
#include <stdint.h>

static char *arguments[] = {"program", 0};

#define PROGRAM(name) \
	int name##_main(int, char **); \
	void name(const uint64_t *x, uint64_t *result) { *result = (uint32_t)name##_main(1, arguments); }
#include "programs.h"
