//! C functions that call functions of the packages, for the comparison with cgo.

mod border;

/// # Safety
///
/// `dst` and `k` point to 32 bytes each, which do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn native_scalar_base_mult(dst: *mut [u8; 32], k: *const [u8; 32]) {
    // SAFETY: the caller promises that `dst` and `k` point to 32 bytes each, which do not overlap.
    unsafe { edwards25519::scalar_base_mult(&mut *dst, &*k) }
}

/// # Safety
///
/// `dst` points to 32 bytes and `msg` to `len` other bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn native_blake3_sum256(dst: *mut [u8; 32], msg: *const u8, len: usize) {
    // SAFETY: the caller promises that `dst` points to 32 bytes, and `msg` to `len` other bytes.
    unsafe { rustgo_blake3::sum256(&mut *dst, core::slice::from_raw_parts(msg, len)) }
}

/// Returns x + 1. It does so little that its time is the cost of a call.
#[unsafe(no_mangle)]
pub extern "C" fn native_increment(x: u64) -> u64 {
    callcost::increment(x)
}
