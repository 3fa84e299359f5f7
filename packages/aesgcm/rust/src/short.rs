//! AES-GCM (NIST SP 800-38D) of short messages, for processors with AES and carry-less multiplication.
//!
//! A call reads the round keys and the powers of the hash key from the key object. The frame of a call holds key stream, text and partial sums. The
//! frame is small and of a known size, so overwriting it takes only a few nanoseconds. For long messages graviola's code is faster.
//!
//! GHASH is computed as POLYVAL of byte-reversed blocks (RFC 8452, appendix A). Up to eight products are added before each reduction.

use aes_gcm::aead::inout::InOutBuf;
use core::arch::x86_64::*;
use zeroize::{Zeroize as _, ZeroizeOnDrop};

/// The largest number of blocks that are encrypted together, and whose products in GHASH are reduced together.
const WIDE: usize = 8;
/// The number of bytes in `WIDE` blocks.
const GROUP: usize = 16 * WIDE;

pub struct Keys {
    /// The round keys of AES: 11 for AES-128, 15 for AES-256. The rest is zero.
    round: [__m128i; 15],
    /// The index of the last round key.
    last: usize,
    /// The powers 1 to 8 of the hash key, in the form of POLYVAL.
    powers: [__m128i; WIDE],
    /// For each power, the sum of its two halves, stored in both halves (for Karatsuba's multiplication).
    folded: [__m128i; WIDE],
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.round.zeroize();
        self.powers.zeroize();
        self.folded.zeroize();
    }
}

impl ZeroizeOnDrop for Keys {}

/// Pointers to the text of a call and to the result. Both areas have `len` bytes. They are the same area or do not overlap.
#[derive(Clone, Copy)]
pub struct Text {
    from: *const u8,
    to: *mut u8,
    len: usize,
}

impl From<InOutBuf<'_, '_, u8>> for Text {
    fn from(text: InOutBuf<'_, '_, u8>) -> Self {
        let len = text.len();
        let (from, to) = text.into_raw();
        Self { from, to, len }
    }
}

impl Keys {
    /// Expands a key of 16 or 32 bytes.
    #[target_feature(enable = "aes,pclmulqdq,avx")]
    pub fn new(key: &[u8]) -> Self {
        let mut keys =
            Self { round: [_mm_setzero_si128(); 15], last: 0, powers: [_mm_setzero_si128(); WIDE], folded: [_mm_setzero_si128(); WIDE] };
        keys.expand(key);
        let hash_key = keys.encrypt::<1>([_mm_setzero_si128()])[0];
        let first = times_x(reversed(hash_key));
        let mut power = first;
        for i in 0..WIDE {
            keys.powers[i] = power;
            keys.folded[i] = folded(power);
            let mut sum = Sum::new();
            sum.add(power, first, folded(first));
            power = sum.reduced();
        }
        keys
    }

    /// Makes the round keys (FIPS 197, 5.2). `_mm_aeskeygenassist_si128` applies the S-box.
    #[target_feature(enable = "aes,avx")]
    fn expand(&mut self, key: &[u8]) {
        let words = key.len() / 16; // 1 or 2 round keys
        self.last = 6 + 4 * words;
        for (round, part) in self.round.iter_mut().zip(key.chunks_exact(16)) {
            // SAFETY: the part has 16 bytes.
            *round = unsafe { _mm_loadu_si128(part.as_ptr().cast()) };
        }
        let mut constant = 1u32;
        for i in words..=self.last {
            let before = self.round[i - 1];
            let assisted = _mm_aeskeygenassist_si128(before, 0);
            let word = if i % words == 0 {
                let rotated = _mm_xor_si128(_mm_shuffle_epi32(assisted, 0xff), _mm_set1_epi32(constant as i32));
                constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
                rotated
            } else {
                _mm_shuffle_epi32(assisted, 0xaa)
            };
            let mut next = self.round[i - words];
            next = _mm_xor_si128(next, _mm_slli_si128(next, 4));
            next = _mm_xor_si128(next, _mm_slli_si128(next, 8));
            self.round[i] = _mm_xor_si128(next, word);
        }
    }

    /// Encrypts `N` blocks with AES, interleaved.
    #[target_feature(enable = "aes,avx")]
    #[inline]
    fn encrypt<const N: usize>(&self, mut blocks: [__m128i; N]) -> [__m128i; N] {
        for block in &mut blocks {
            *block = _mm_xor_si128(*block, self.round[0]);
        }
        for key in &self.round[1..self.last] {
            for block in &mut blocks {
                *block = _mm_aesenc_si128(*block, *key);
            }
        }
        for block in &mut blocks {
            *block = _mm_aesenclast_si128(*block, self.round[self.last]);
        }
        blocks
    }

    /// Returns the key stream of the blocks with these counter values.
    #[target_feature(enable = "aes,avx,sse4.1")]
    #[inline]
    fn stream<const N: usize>(&self, nonce: __m128i, numbers: [u32; N]) -> [__m128i; N] {
        let mut counters = [nonce; N];
        for (counter, number) in counters.iter_mut().zip(numbers) {
            *counter = _mm_insert_epi32(*counter, number.swap_bytes() as i32, 3);
        }
        self.encrypt(counters)
    }

    /// Encrypts or decrypts the text, and returns the tag.
    ///
    /// # Safety
    /// The pointers of `text` must be valid for its length, and be equal or not overlap.
    #[target_feature(enable = "aes,pclmulqdq,avx")]
    #[inline]
    unsafe fn run<const SEAL: bool>(&self, text: Text, nonce: &[u8; 12], additional: &[u8]) -> __m128i {
        // SAFETY: the nonce has 12 bytes.
        let nonce = unsafe { load_part(nonce.as_ptr(), nonce.len()) };
        let groups = text.len / GROUP;
        // The number of blocks after the groups, including the block with the lengths.
        let last = (text.len % GROUP).div_ceil(16) + 1;
        let first = additional.len().div_ceil(16);
        let mut hash = Hash::new(self, _mm_setzero_si128(), if groups == 0 { first + last } else { first });
        for block in additional.chunks(16) {
            // SAFETY: the block has this length.
            hash.add(reversed(unsafe { load_part(block.as_ptr(), block.len()) }));
        }

        let mut number = 2; // the counter of the next block; counter 1 belongs to the block that masks the tag
        if groups != 0 {
            let mut sum = hash.sum();
            for group in 0..groups {
                // SAFETY: the group lies in the text.
                let (from, to) = unsafe { (text.from.add(group * GROUP), text.to.add(group * GROUP)) };
                let stream = self.stream(nonce, core::array::from_fn::<u32, WIDE, _>(|i| number + i as u32));
                let mut sums = Sum::new();
                for (i, stream) in stream.iter().enumerate() {
                    // SAFETY: the block lies in the group.
                    let before = unsafe { _mm_loadu_si128(from.add(16 * i).cast()) };
                    let after = _mm_xor_si128(before, *stream);
                    // SAFETY: the block lies in the group.
                    unsafe { _mm_storeu_si128(to.add(16 * i).cast(), after) };
                    let mut block = reversed(if SEAL { after } else { before });
                    if i == 0 {
                        block = _mm_xor_si128(block, sum);
                    }
                    sums.add(block, self.powers[WIDE - 1 - i], self.folded[WIDE - 1 - i]);
                }
                sum = sums.reduced();
                number += WIDE as u32;
            }
            hash = Hash::new(self, sum, last);
        }

        let mut stream = [_mm_setzero_si128(); WIDE + 1];
        if last == 1 {
            stream[0] = self.stream(nonce, [1])[0];
        } else if last <= 4 {
            stream[..4].copy_from_slice(&self.stream(nonce, [1, number, number + 1, number + 2]));
        } else {
            stream[..WIDE].copy_from_slice(
                &self.stream(nonce, core::array::from_fn::<u32, WIDE, _>(|i| if i == 0 { 1 } else { number + i as u32 - 1 })),
            );
            if last > WIDE {
                stream[WIDE] = self.stream(nonce, [number + 7])[0];
            }
        }
        for (i, stream) in (1..last).zip(&stream[1..]) {
            let at = groups * GROUP + 16 * (i - 1);
            let size = (text.len - at).min(16);
            // SAFETY: the block lies in the text.
            unsafe {
                let before = load_part(text.from.add(at), size);
                let mut after = _mm_xor_si128(before, *stream);
                if size < 16 {
                    after = _mm_and_si128(after, first_bytes(size));
                }
                store_part(text.to.add(at), after, size);
                hash.add(reversed(if SEAL { after } else { before }));
            }
        }

        hash.add(_mm_set_epi64x(additional.len() as i64 * 8, text.len as i64 * 8));
        _mm_xor_si128(reversed(hash.sum()), stream[0])
    }

    /// Encrypts the text, and sets the tag.
    #[target_feature(enable = "aes,pclmulqdq,avx")]
    #[inline(never)]
    pub fn seal(&self, text: InOutBuf<'_, '_, u8>, tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
        let text = Text::from(text);
        // SAFETY: the pointers come from an `InOutBuf`. The tag has 16 bytes.
        unsafe { _mm_storeu_si128(tag.as_mut_ptr().cast(), self.run::<true>(text, nonce, additional)) };
    }

    /// Decrypts the text, even if the tag is wrong. Returns true if the tag is right.
    #[target_feature(enable = "aes,pclmulqdq,avx")]
    #[inline(never)]
    pub fn open(&self, text: InOutBuf<'_, '_, u8>, tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
        let text = Text::from(text);
        // SAFETY: the pointers come from an `InOutBuf`. The tag has 16 bytes.
        let wrong = unsafe { _mm_xor_si128(self.run::<false>(text, nonce, additional), _mm_loadu_si128(tag.as_ptr().cast())) };
        _mm_testz_si128(wrong, wrong) == 1
    }
}

/// Computes GHASH of a known number of blocks, starting from an earlier result.
struct Hash<'a> {
    keys: &'a Keys,
    products: Sum,
    /// The earlier result until it has been added to a block; then 0.
    carried: __m128i,
    /// The number of blocks that have not been added yet.
    left: usize,
    /// The number of blocks to add before the next reduction. The next block is multiplied by `powers[power - 1]`.
    power: usize,
}

impl<'a> Hash<'a> {
    #[target_feature(enable = "pclmulqdq,avx")]
    #[inline]
    fn new(keys: &'a Keys, before: __m128i, blocks: usize) -> Self {
        Self { keys, products: Sum::new(), carried: before, left: blocks, power: blocks.min(WIDE) }
    }

    #[target_feature(enable = "pclmulqdq,avx")]
    #[inline]
    fn add(&mut self, block: __m128i) {
        if self.power == 0 {
            self.carried = self.products.reduced();
            self.products = Sum::new();
            self.power = self.left.min(WIDE);
        }
        self.left -= 1;
        self.power -= 1;
        self.products.add(_mm_xor_si128(block, self.carried), self.keys.powers[self.power], self.keys.folded[self.power]);
        self.carried = _mm_setzero_si128();
    }

    /// Returns the hash of all blocks.
    #[target_feature(enable = "pclmulqdq,avx")]
    #[inline]
    fn sum(&self) -> __m128i {
        _mm_xor_si128(self.products.reduced(), self.carried)
    }
}

/// A sum of products of polynomials, as the three parts of a multiplication by Karatsuba's method.
struct Sum {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Sum {
    #[target_feature(enable = "avx")]
    #[inline]
    fn new() -> Self {
        Self { low: _mm_setzero_si128(), middle: _mm_setzero_si128(), high: _mm_setzero_si128() }
    }

    /// Adds the product of a and b. `folded_b` is `folded(b)`.
    #[target_feature(enable = "pclmulqdq,avx")]
    #[inline]
    fn add(&mut self, a: __m128i, b: __m128i, folded_b: __m128i) {
        self.low = _mm_xor_si128(self.low, _mm_clmulepi64_si128(a, b, 0x00));
        self.high = _mm_xor_si128(self.high, _mm_clmulepi64_si128(a, b, 0x11));
        self.middle = _mm_xor_si128(self.middle, _mm_clmulepi64_si128(folded(a), folded_b, 0x00));
    }

    /// Returns the sum times x⁻¹²⁸, modulo x¹²⁸ + x¹²⁷ + x¹²⁶ + x¹²¹ + 1, by Montgomery's reduction of 64 bits at a time.
    #[target_feature(enable = "pclmulqdq,avx")]
    #[inline]
    fn reduced(&self) -> __m128i {
        let modulus = _mm_set_epi64x(0xc200_0000_0000_0000_u64 as i64, 1);
        let middle = _mm_xor_si128(self.middle, _mm_xor_si128(self.low, self.high));
        let mut low = _mm_xor_si128(self.low, _mm_slli_si128(middle, 8));
        let high = _mm_xor_si128(self.high, _mm_srli_si128(middle, 8));
        for _ in 0..2 {
            low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, modulus, 0x10));
        }
        _mm_xor_si128(low, high)
    }
}

/// Returns the sum of the two halves of `a`, in both halves of the result.
#[target_feature(enable = "avx")]
#[inline]
fn folded(a: __m128i) -> __m128i {
    _mm_xor_si128(a, _mm_shuffle_epi32(a, 0x4e))
}

#[target_feature(enable = "avx")]
#[inline]
fn reversed(block: __m128i) -> __m128i {
    _mm_shuffle_epi8(block, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
}

/// Returns the product of `a` and x in POLYVAL's field.
#[target_feature(enable = "avx")]
#[inline]
fn times_x(a: __m128i) -> __m128i {
    let carries = _mm_srli_epi64(a, 63);
    let top = _mm_shuffle_epi32(_mm_sub_epi64(_mm_setzero_si128(), carries), 0xee); // all bits are set if the highest bit of a was set
    let doubled = _mm_or_si128(_mm_add_epi64(a, a), _mm_slli_si128(carries, 8));
    _mm_xor_si128(doubled, _mm_and_si128(top, _mm_set_epi64x(0xc200_0000_0000_0000_u64 as i64, 1)))
}

/// Returns a mask with all bits set in the first `n` bytes; `n` is less than 16.
#[target_feature(enable = "avx")]
#[inline]
fn first_bytes(n: usize) -> __m128i {
    vector((1 << (8 * n)) - 1)
}

#[target_feature(enable = "avx")]
#[inline]
fn vector(bytes: u128) -> __m128i {
    _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
}

/// Loads `n` bytes, at most 16, followed by zeros. It does not copy the bytes to a buffer: the load of the buffer would wait for the stores of the
/// bytes.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn load_part(from: *const u8, n: usize) -> __m128i {
    // SAFETY: only the first n bytes are read. A byte that is read twice goes to the same place of the result both times.
    unsafe {
        let word = |n: usize, from: *const u8| -> u64 {
            let byte = |i: usize| u64::from(from.add(i).read()) << (8 * i);
            match n {
                0 => 0,
                1..4 => byte(0) | byte(n / 2) | byte(n - 1),
                _ => {
                    let last = u64::from(from.add(n - 4).cast::<u32>().read_unaligned());
                    u64::from(from.cast::<u32>().read_unaligned()) | (last << (8 * (n - 4)))
                }
            }
        };
        match n {
            16.. => _mm_loadu_si128(from.cast()),
            8.. => _mm_set_epi64x(word(n - 8, from.add(8)) as i64, from.cast::<u64>().read_unaligned() as i64),
            _ => _mm_set_epi64x(0, word(n, from) as i64),
        }
    }
}

/// Stores the first `n` bytes of a block, at most 16.
///
/// # Safety
/// `n` bytes must be writable.
#[target_feature(enable = "avx,sse4.1")]
#[inline]
unsafe fn store_part(to: *mut u8, block: __m128i, n: usize) {
    // SAFETY: only the first n bytes are written. A byte that is written twice gets the same value both times.
    unsafe {
        if n >= 16 {
            _mm_storeu_si128(to.cast(), block);
            return;
        }
        let (low, high) = (_mm_extract_epi64(block, 0) as u64, _mm_extract_epi64(block, 1) as u64);
        let bytes = (u128::from(high) << 64) | u128::from(low);
        match n {
            0 => {}
            1..4 => {
                for i in [0, n / 2, n - 1] {
                    to.add(i).write((bytes >> (8 * i)) as u8);
                }
            }
            4..8 => {
                to.cast::<u32>().write_unaligned(bytes as u32);
                to.add(n - 4).cast::<u32>().write_unaligned((bytes >> (8 * (n - 4))) as u32);
            }
            _ => {
                to.cast::<u64>().write_unaligned(bytes as u64);
                to.add(n - 8).cast::<u64>().write_unaligned((bytes >> (8 * (n - 8))) as u64);
            }
        }
    }
}
