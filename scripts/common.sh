# Shared by the scripts: what is run is counted and timed, and what is not run is said, with the way to have it run.
# Sourced by bash.

passed=0 failed=0 skipped=0

# check WHAT COMMAND...: run the command; its output is shown only if it fails.
check() {
	local what=$1 log began=$SECONDS
	shift
	log=$(mktemp "${scratch:?}/log.XXXXXX")
	if "$@" >"$log" 2>&1; then
		passed=$((passed + 1))
		printf 'ok    %-46s %4d s\n' "$what" $((SECONDS - began))
	else
		failed=$((failed + 1))
		printf 'FAIL  %-46s %4d s\n' "$what" $((SECONDS - began))
		printf '      %s\n' "command: $*"
		# A crash says what it is at the beginning, a test at the end.
		if [ "$(wc -l <"$log")" -le 120 ]; then cat "$log"; else head -n 80 "$log" && echo … && tail -n 40 "$log"; fi | sed 's/^/      | /'
	fi
	rm -f "$log"
}

# skip WHAT REASON HOW: say that something is not run. In CI everything can be installed, so there it is a failure.
skip() {
	printf 'skipped: %s: %s: %s\n' "$1" "$2" "$3"
	if [ "${CI:-}" = true ]; then
		failed=$((failed + 1))
	else
		skipped=$((skipped + 1))
	fi
}

# summary WHAT: the closing line; its status is 1 if anything failed.
summary() {
	printf '%s: %d passed, %d failed, %d skipped\n' "$1" "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ]
}

has() { command -v "$1" >/dev/null 2>&1; }
