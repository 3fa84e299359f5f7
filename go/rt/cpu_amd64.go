package rt

// cpuLevels are the levels of the psABI for x86-64 (gitlab.com/x86-psABIs/x86-64-ABI, "Micro-Architecture Levels"). The third and the fourth level
// also exist with instructions for cryptography.
var cpuLevels = [...]string{"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v3+crypto", "x86-64-v4", "x86-64-v4+crypto"}

// cpuFeature is a feature of the processor, with the bit in CPUID's results that reports the feature (Intel SDM vol. 2, CPUID; AMD64 manual vol. 3,
// appendix E). GODEBUG can turn the feature off by its name. Features that internal/cpu knows have the same name there.
type cpuFeature struct {
	name string
	in   *uint32
	bit  uint
}

// cpuid executes the instruction CPUID.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of the register XCR0. Each set bit of XCR0 is a kind of register state that the operating system saves. It faults on
// a processor without OSXSAVE.
func xgetbv() uint32

// findLevel returns the number of the highest level for which the processor has all features. A feature for which isHidden returns true counts as
// missing.
func findLevel(isHidden func(feature string) bool) uint8 {
	var ecx1, ebx7, ecx7, ecx80000001 uint32
	highest, _, _, _ := cpuid(0, 0)
	_, _, ecx1, _ = cpuid(1, 0)
	if highest >= 7 {
		_, ebx7, ecx7, _ = cpuid(7, 0)
	}
	if highest, _, _, _ := cpuid(0x80000000, 0); highest >= 0x80000001 {
		_, _, ecx80000001, _ = cpuid(0x80000001, 0)
	}
	// At a context switch the operating system must save the wide registers: two bits of XCR0 for AVX, and three more for AVX-512.
	var saved uint32
	const osxsave = 1 << 27
	if ecx1&osxsave != 0 {
		saved = xgetbv()
	}
	const avx, avx512 = 1<<1 | 1<<2, 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7
	levels := [...]struct {
		saved    uint32
		features []cpuFeature
	}{
		{0, []cpuFeature{
			{"sse3", &ecx1, 0}, {"ssse3", &ecx1, 9}, {"cx16", &ecx1, 13}, {"sse41", &ecx1, 19}, {"sse42", &ecx1, 20}, {"popcnt", &ecx1, 23},
			{"lahf", &ecx80000001, 0},
		}},
		{avx, []cpuFeature{
			{"fma", &ecx1, 12}, {"movbe", &ecx1, 22}, {"osxsave", &ecx1, 27}, {"avx", &ecx1, 28}, {"f16c", &ecx1, 29},
			{"bmi1", &ebx7, 3}, {"avx2", &ebx7, 5}, {"bmi2", &ebx7, 8}, {"lzcnt", &ecx80000001, 5},
		}},
		{avx, []cpuFeature{{"aes", &ecx1, 25}, {"pclmulqdq", &ecx1, 1}, {"adx", &ebx7, 19}}},
		{avx512, []cpuFeature{
			{"avx512f", &ebx7, 16}, {"avx512dq", &ebx7, 17}, {"avx512cd", &ebx7, 28}, {"avx512bw", &ebx7, 30}, {"avx512vl", &ebx7, 31},
		}},
		{avx512, []cpuFeature{
			{"avx512ifma", &ebx7, 21}, {"sha", &ebx7, 29}, {"avx512vbmi", &ecx7, 1}, {"avx512vbmi2", &ecx7, 6},
			{"gfni", &ecx7, 8}, {"vaes", &ecx7, 9}, {"vpclmulqdq", &ecx7, 10}, {"avx512vnni", &ecx7, 11}, {"avx512bitalg", &ecx7, 12},
			{"avx512vpopcntdq", &ecx7, 14},
		}},
	}
	level := uint8(1)
	for _, next := range levels {
		if saved&next.saved != next.saved {
			return level
		}
		for _, feature := range next.features {
			if *feature.in>>feature.bit&1 == 0 || isHidden(feature.name) {
				return level
			}
		}
		level++
	}
	return level
}
