/* Loads the library named by the argument, as a program in C would, and lets it check itself, also on a thread that is
   not Go's. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*check)(void);

static void *run(void *result) {
	*(int *)result = check();
	return NULL;
}

int main(int argc, char **argv) {
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library || !(*(void **)&check = dlsym(library, "rustgo_check"))) {
		fprintf(stderr, "load: %s\n", argc == 2 ? dlerror() : "usage: load LIBRARY");
		return 2;
	}
	int result = 1;
	pthread_t thread;
	if (check() || pthread_create(&thread, NULL, run, &result) || pthread_join(thread, NULL))
		return 1;
	return result;
}
