# Functions for the scripts: help, checks that are counted and timed, and parts that run side by side. Bash scripts source this file.

passed=0 failed=0 skipped=0

# rustup must install nothing during the tests: while it installs a component that a rust-toolchain.toml names, other processes do not find rustc.
export RUSTUP_AUTO_INSTALL=0

# usage SCRIPT: print the comment at the head of the script, which is its help.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$1"; }

# help ARGUMENT...: print the help and exit if the first argument asks for it.
help() {
	case ${1:-} in -h | --help) usage "$0" && exit ;; esac
}

# wrong_usage MESSAGE: report a wrong argument and exit.
wrong_usage() {
	printf '%s: %s; --help lists the arguments\n' "$(basename "$0")" "$1" >&2
	exit 2
}

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
		# Systems of continuous integration may cut off long logs. So the lines of packages that passed or have no tests are removed, and the cause
		# comes first.
		sed -i -e '/^ok  \t/d' -e '/\[no test files\]$/d' "$log"
		# The cause of a crash is at the beginning of the output, the cause of a failed test at the end.
		if [ "$(wc -l <"$log")" -le 120 ]; then cat "$log"; else head -n 80 "$log" && echo … && tail -n 40 "$log"; fi | sed 's/^/      | /'
	fi
	rm -f "$log"
}

# skip WHAT REASON HOW: print that WHAT does not run, the reason, and how to enable it. In CI everything can be installed, so there a skip counts as
# a failure.
skip() {
	printf 'skipped: %s: %s: %s\n' "$1" "$2" "$3"
	if [ "${CI:-}" = true ]; then
		failed=$((failed + 1))
	else
		skipped=$((skipped + 1))
	fi
}

# summary WHAT: print how many checks passed, failed and were skipped; the status is 1 if a check failed.
summary() {
	printf '%s: %d passed, %d failed, %d skipped\n' "$1" "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ]
}

# own_modules: print the folders of the packages that are Go modules of their own, from the top folder. packages/tests is not a package.
own_modules() {
	local file
	for file in packages/*/go.mod; do
		[ "$file" = packages/tests/go.mod ] || echo "${file%/go.mod}"
	done
}

has() { command -v "$1" >/dev/null 2>&1; }

# part TITLE COMMAND...: run a part of the tests and print its whole output when it ends, so that the outputs of two lanes do not mix.
# $scratch/parts has a line for each part: status, elapsed seconds, processor seconds, title. parts_summary prints the last lines of failed parts'
# logs once more.
part() {
	local title=$1 log began=$SECONDS status=passed TIMEFORMAT='%U %S' processors
	shift
	log=$(mktemp "${scratch:?}/part.XXXXXX")
	{ time "$@" >"$log" 2>&1; } 2>"$log.time" || status=failed
	local seconds=$((SECONDS - began))
	processors=$(awk 'END { printf "%d", $1 + $2 }' "$log.time")
	printf '%s %d %d %s\n' "$status" "$seconds" "$processors" "$title" >>"$scratch/parts"
	[ "$status" = passed ] || { printf '== the last lines of %s\n' "$title" && tail -n 50 "$log"; } >>"$scratch/ends"
	{
		printf '\n== %s\n' "$title"
		cat "$log"
		printf '== %s: %s, %d s\n' "$title" "$status" "$seconds"
	} >"$log.whole"
	# One part prints at a time. The lock is a folder, because macOS has no flock. On a full disk no folder can be made, so the wait has a limit.
	local tries=0
	until mkdir "$scratch/printing" 2>/dev/null || [ $((tries += 1)) -gt 300 ]; do sleep 0.2; done
	cat "$log.whole"
	rmdir "$scratch/printing" 2>/dev/null
	rm -f "$log" "$log.time" "$log.whole"
}

# skip_part TITLE REASON HOW: record and print that this machine cannot run a part. In CI the part counts as failed.
skip_part() {
	local status=skipped
	[ "${CI:-}" != true ] || status=failed
	printf '%s 0 0 %s\n' "$status" "$1" >>"$scratch/parts"
	printf '\n== %s\nskipped: %s: %s\n' "$1" "$2" "$3"
}

# side_by_side FUNCTION...: run the functions (lanes) at the same time and wait for all. Each function calls part. An interrupt ends all lanes.
side_by_side() {
	local lane lanes=()
	for lane in "$@"; do
		"$lane" &
		lanes+=($!)
	done
	trap 'kill "${lanes[@]}" 2>/dev/null; exit 130' INT TERM
	wait "${lanes[@]}" || true
	trap - INT TERM
}

# parts_summary: print the elapsed time and the processor time of each part, the totals, the last lines of failed parts' logs, and the numbers of
# parts that passed, failed and were skipped. The status is 1 if a part failed.
parts_summary() {
	local total=0 all=0 status seconds processors title
	printf '\n== times\n'
	while read -r status seconds processors title; do
		printf '%-8s%6d s  (processors %5d s)  %s\n' "$status" "$seconds" "$processors" "$title"
		total=$((total + seconds)) all=$((all + processors))
	done < <(sort -k 2,2nr "$scratch/parts")
	printf '%-8s%6d s  (processors %5d s)  all parts one after another\n' '' "$total" "$all"
	printf '%-8s%6d s  as they ran\n\n' '' "$SECONDS"
	[ ! -e "$scratch/ends" ] || { cat "$scratch/ends"; echo; }
	printf '%d passed, %d failed, %d skipped\n' "$(grep -c '^passed' "$scratch/parts")" "$(grep -c '^failed' "$scratch/parts")" "$(grep -c '^skipped' "$scratch/parts")"
	! grep -q '^failed' "$scratch/parts"
}
