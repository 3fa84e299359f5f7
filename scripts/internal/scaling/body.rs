#![no_std]
#[inline(never)]
fn f<const N: u64>(x: &mut [u64; 16], d: &[u8]) -> u64 {
    let mut t = [0u64; 24];
    for (i, b) in d.iter().enumerate() {
        match (*b as u64 ^ N) % 9 {
            0 => t[i % 24] ^= N.rotate_left(i as u32),
            1 => x[(i + N as usize) % 16] = x[i % 16].wrapping_mul(N | 1),
            2 => t[(i * 7) % 24] = t[(i * 3) % 24] / (x[1] % 7),
            3 => x[3] = x[i & 15].wrapping_add(N),
            4 => t[1] ^= (*b as u64).count_ones() as u64,
            5 => x[(N % 16) as usize] ^= t[i % 24],
            6 => t[5] = t[(x[2] % 25) as usize],
            7 => x[1] = t[2].swap_bytes(),
            _ => t[7] ^= 7,
        }
    }
    t.iter().fold(0, |a, b| a.wrapping_mul(31).wrapping_add(*b))
}
