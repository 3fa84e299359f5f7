package callbacks

// loopModule is a WebAssembly module that exports loop(n i64) i64. loop calls the imported function env.step(x i64) i64 n times, each time with the
// last result.
var loopModule = []byte{
	0, 'a', 's', 'm', 1, 0, 0, 0,
	1, 6, 1, 0x60, 1, 0x7e, 1, 0x7e, // type 0: (i64) -> i64
	2, 12, 1, 3, 'e', 'n', 'v', 4, 's', 't', 'e', 'p', 0, 0, // import env.step, type 0
	3, 2, 1, 0, // function 1 has type 0
	7, 8, 1, 4, 'l', 'o', 'o', 'p', 0, 1, // export function 1
	10, 34, 1, 32, // code: one body of 32 bytes
	1, 1, 0x7e, // local 1: i64 x
	0x02, 0x40, // block
	0x03, 0x40, // loop
	0x20, 0, 0x50, 0x0d, 1, // leave the block if n == 0
	0x20, 1, 0x10, 0, 0x21, 1, // x = step(x)
	0x20, 0, 0x42, 1, 0x7d, 0x21, 0, // n = n - 1
	0x0c, 0, // again
	0x0b, 0x0b, // end of loop and block
	0x20, 1, // x
	0x0b,
}
