//! The hash function XXH3, from the crate twox-hash. The crate chooses AVX2, SSE2 or NEON at run time.

use rustgo::{Append, GoStr};
use std::convert::Infallible;
use std::hash::Hasher as _;
use twox_hash::{XxHash3_64, XxHash3_128, xxhash3_64, xxhash3_128};

/// Sum64 returns the 64-bit hash of data.
#[rustgo::export(blocking_over = 262144)]
pub fn sum64(data: &[u8]) -> u64 {
    XxHash3_64::oneshot(data)
}

/// Sum64String returns the same hash as [`sum64`] for the bytes of s.
#[rustgo::export(name = "Sum64String", blocking_over = 262144)]
pub fn sum64_string(s: GoStr<'_>) -> u64 {
    XxHash3_64::oneshot(&s)
}

/// Sum64Seed returns the 64-bit hash of data for a seed. Seed 0 gives the result of [`sum64`].
#[rustgo::export(blocking_over = 262144)]
pub fn sum64_seed(data: &[u8], seed: u64) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, data)
}

/// Sum128 returns the upper and the lower 64 bits of the 128-bit hash of data.
#[rustgo::export(results(hi, lo), blocking_over = 262144)]
pub fn sum128(data: &[u8]) -> (u64, u64) {
    halves(XxHash3_128::oneshot(data))
}

/// Sum128Seed returns the upper and the lower 64 bits of the 128-bit hash of data for a seed. Seed 0 gives the result of [`sum128`].
#[rustgo::export(results(hi, lo), blocking_over = 262144)]
pub fn sum128_seed(data: &[u8], seed: u64) -> (u64, u64) {
    halves(XxHash3_128::oneshot_with_seed(seed, data))
}

fn halves(hash: u128) -> (u64, u64) {
    ((hash >> 64) as u64, hash as u64)
}

/// The secret that XXH3 derives from the seed.
type Secret = [u8; 192];

/// A Hasher computes the 64-bit XXH3 hash of the data that is written to it. A Hasher is a plain value: a copy is independent of the original. The
/// zero Hasher is ready for use, with seed 0.
// SAFETY: the hasher contains only numbers and arrays of bytes.
#[rustgo::object(unsafe(inline), implements("hash.Hash64", "io.StringWriter"))]
pub struct Hasher {
    state: xxhash3_64::RawHasher<Secret>,
    seed: u64,
}

impl Default for Hasher {
    fn default() -> Self {
        Self::with_seed(0)
    }
}

#[rustgo::export(int = "usize")]
impl Hasher {
    /// New returns a Hasher with seed 0.
    #[rustgo::export(name = "New")]
    pub fn new() -> Self {
        Self::default()
    }

    /// NewSeed returns a Hasher for a seed.
    #[rustgo::export(name = "NewSeed")]
    pub fn with_seed(seed: u64) -> Self {
        let secret = xxhash3_64::SecretBuffer::with_seed(seed, [0; size_of::<Secret>()]).expect("the secret has the right length");
        Self { state: xxhash3_64::RawHasher::new(secret), seed }
    }

    /// Write appends p to the message. It never returns an error.
    #[rustgo::export(results(n, err), blocking_over = 262144)]
    pub fn write(&mut self, p: &[u8]) -> Result<usize, Infallible> {
        self.state.write(p);
        Ok(p.len())
    }

    /// WriteString appends s to the message. It never returns an error.
    #[rustgo::export(results(n, err), blocking_over = 262144)]
    pub fn write_string(&mut self, s: GoStr<'_>) -> Result<usize, Infallible> {
        self.state.write(&s);
        Ok(s.len())
    }

    /// Sum64 returns the hash of the written data.
    pub fn sum64(&self) -> u64 {
        self.state.finish()
    }

    /// Sum appends the hash of the written data to b: eight bytes, the most significant first.
    pub fn sum(&self, b: &mut Append<u8>) {
        b.extend_from_slice(&self.state.finish().to_be_bytes());
    }

    /// Size returns 8, the number of bytes that Sum appends.
    #[must_use]
    pub const fn size(&self) -> usize {
        8
    }

    /// BlockSize returns 64. Write is most efficient with multiples of 64 bytes.
    #[must_use]
    pub const fn block_size(&self) -> usize {
        64
    }

    /// Reset begins a new, empty message with the same seed.
    pub fn reset(&mut self) {
        *self = Self::with_seed(self.seed);
    }
}

/// A Hasher128 computes the 128-bit XXH3 hash of the data that is written to it. A Hasher128 is a plain value: a copy is independent of the original.
/// The zero Hasher128 is ready for use, with seed 0.
// SAFETY: the hasher contains only numbers and arrays of bytes.
#[rustgo::object(unsafe(inline), implements("hash.Hash", "io.StringWriter"))]
pub struct Hasher128 {
    state: xxhash3_128::RawHasher<Secret>,
    seed: u64,
}

impl Default for Hasher128 {
    fn default() -> Self {
        Self::with_seed(0)
    }
}

#[rustgo::export(int = "usize")]
impl Hasher128 {
    /// New128 returns a Hasher128 with seed 0.
    #[rustgo::export(name = "New128")]
    pub fn new() -> Self {
        Self::default()
    }

    /// NewSeed128 returns a Hasher128 for a seed.
    #[rustgo::export(name = "NewSeed128")]
    pub fn with_seed(seed: u64) -> Self {
        let secret = xxhash3_128::SecretBuffer::with_seed(seed, [0; size_of::<Secret>()]).expect("the secret has the right length");
        Self { state: xxhash3_128::RawHasher::new(secret), seed }
    }

    /// Write appends p to the message. It never returns an error.
    #[rustgo::export(results(n, err), blocking_over = 262144)]
    pub fn write(&mut self, p: &[u8]) -> Result<usize, Infallible> {
        self.state.write(p);
        Ok(p.len())
    }

    /// WriteString appends s to the message. It never returns an error.
    #[rustgo::export(results(n, err), blocking_over = 262144)]
    pub fn write_string(&mut self, s: GoStr<'_>) -> Result<usize, Infallible> {
        self.state.write(&s);
        Ok(s.len())
    }

    /// Sum128 returns the upper and the lower 64 bits of the hash of the written data.
    #[rustgo::export(results(hi, lo))]
    pub fn sum128(&self) -> (u64, u64) {
        halves(self.state.finish_128())
    }

    /// Sum appends the hash of the written data to b: sixteen bytes, the most significant first.
    pub fn sum(&self, b: &mut Append<u8>) {
        b.extend_from_slice(&self.state.finish_128().to_be_bytes());
    }

    /// Size returns 16, the number of bytes that Sum appends.
    #[must_use]
    pub const fn size(&self) -> usize {
        16
    }

    /// BlockSize returns 64. Write is most efficient with multiples of 64 bytes.
    #[must_use]
    pub const fn block_size(&self) -> usize {
        64
    }

    /// Reset begins a new, empty message with the same seed.
    pub fn reset(&mut self) {
        *self = Self::with_seed(self.seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an input of the tests of the xxHash repository.
    fn input(len: usize) -> Vec<u8> {
        let next = |x: &u64| Some(x.wrapping_mul(11_400_714_785_074_694_797));
        std::iter::successors(Some(2_654_435_761), next).map(|x: u64| (x >> 56) as u8).take(len).collect()
    }

    const SEED: u64 = 0x9E37_79B1_85EB_CA8D;

    /// Test vectors of the xxHash repository: the length, the hash with seed 0, and the hash with `SEED`.
    const VECTORS: [(usize, u64, u64); 13] = [
        (0, 0x2D06_8005_38D3_94C2, 0xA8A6_B918_B2F0_364A),
        (1, 0xC44B_DFF4_074E_ECDB, 0x032B_E332_DD76_6EF8),
        (6, 0x27B5_6A84_CD2D_7325, 0x8458_9C11_6AB5_9AB9),
        (12, 0xA713_DAF0_DFBB_77E7, 0xE730_3E1B_2336_DE0E),
        (24, 0xA3FE_70BF_9D35_10EB, 0x850E_80FC_35BD_D690),
        (48, 0x397D_A259_ECBA_1F11, 0xADC2_CBAA_44AC_C616),
        (80, 0xBCDE_FBBB_2C47_C90A, 0xC6DD_0CB6_9953_2E73),
        (195, 0xCD94_217E_E362_EC3A, 0xBA68_003D_370C_B3D9),
        (403, 0xCDEB_804D_65C6_DEA4, 0x6259_F6EC_FD64_43FD),
        (512, 0x617E_4959_9013_CB6B, 0x3CE4_57DE_14C2_7708),
        (2048, 0xDD59_E2C3_A5F0_38E0, 0x66F8_1670_669A_BABC),
        (2240, 0x6E73_A905_39CF_2948, 0x757B_A848_7D1B_5247),
        (2367, 0xCB37_AEB9_E5D3_61ED, 0xD2DB_3415_B942_B42A),
    ];

    #[test]
    fn vectors() {
        for (len, hash, seeded) in VECTORS {
            let data = input(len);
            assert_eq!((sum64(&data), sum64_seed(&data, SEED)), (hash, seeded), "length {len}");
            for (seed, hash) in [(0, hash), (SEED, seeded)] {
                let mut hasher = Hasher::with_seed(seed);
                data.chunks(7).for_each(|chunk| assert_eq!(hasher.write(chunk), Ok(chunk.len())));
                assert_eq!(hasher.sum64(), hash, "length {len}");
                hasher.reset();
                assert_eq!(hasher.sum64(), sum64_seed(&[], seed));
                let mut hasher = Hasher128::with_seed(seed);
                data.chunks(7).for_each(|chunk| assert_eq!(hasher.write(chunk), Ok(chunk.len())));
                assert_eq!(hasher.sum128(), sum128_seed(&data, seed), "length {len}");
            }
        }
        assert_eq!(sum128(&[]), (0x99AA_06D3_0147_98D8, 0x6001_C324_468D_497F));
        assert_eq!(sum128(&input(1)), (0xA6CD_5E93_9200_0F6A, 0xC44B_DFF4_074E_ECDB));
        assert_eq!(sum128(&input(6)), (0x082A_FE0B_8162_D12A, 0x3E70_39BD_DA43_CFC6));
    }
}
