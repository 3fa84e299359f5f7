# Reads valgrind's output, and prints the place of each report of memcheck, one a line. public.txt defines the form of a place.
function flush() {
	if (reported) print place == "" ? "unknown place" : place
	reported = 0
	place = ""
}
# A report begins with one of these lines. The place where memory was allocated follows some reports, and belongs to the report before it.
/^==[0-9]+== (Conditional jump|Use of uninitialised|Syscall param|Invalid|Source and destination|.*points to un)/ {
	flush()
	reported = 1
	address = ""
}
reported && /^==[0-9]+== +(at|by) 0x/ {
	here = $3
	if (address == "") address = here
	if (here != address) next
	frame = $0
	sub(/^==[0-9]+== +(at|by) 0x[0-9A-F]+: /, "", frame)
	if (frame ~ /\(library\//) next
	place = place (place == "" ? "" : " < ") frame
}
END { flush() }
