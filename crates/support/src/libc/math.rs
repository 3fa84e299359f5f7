//! The functions of C's `<math.h>`, from the crate libm. std's functions of `f32` and `f64`, and C code, call them.
//!
//! The last bits of some results differ from the results of other libraries. According to libm's documentation and tests, the error is less than one
//! unit in the last place for most functions, and a few units for `tgamma`, `lgamma` and `jn`.

use core::ffi::c_int;

/// Defines C functions with the given names and signatures. Each calls the function of the same name in the crate libm.
macro_rules! functions {
    ($($name:ident($($argument:ident: $of:ty),*) -> $result:ty;)*) => {
        $(
            /// The function of this name in C's `<math.h>`.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name($($argument: $of),*) -> $result {
                libm::$name($($argument),*)
            }
        )*
    };
}

/// Defines functions with one argument and one result.
macro_rules! of_one {
    ($($of:ty: $($name:ident)*;)*) => { $($(functions! { $name(x: $of) -> $of; })*)* };
}

/// Defines functions with two arguments.
macro_rules! of_two {
    ($($of:ty: $($name:ident)*;)*) => { $($(functions! { $name(x: $of, y: $of) -> $of; })*)* };
}

of_one! {
    f64: acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor lgamma log log10 log1p log2 rint
        round roundeven sin sinh sqrt tan tanh tgamma trunc;
    f32: acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f expm1f fabsf floorf lgammaf logf
        log10f log1pf log2f rintf roundf roundevenf sinf sinhf sqrtf tanf tanhf tgammaf truncf;
}

of_two! {
    f64: atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder;
    f32: atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf;
}

functions! {
    fma(x: f64, y: f64, z: f64) -> f64;
    fmaf(x: f32, y: f32, z: f32) -> f32;
    ldexp(x: f64, exponent: c_int) -> f64;
    ldexpf(x: f32, exponent: c_int) -> f32;
    scalbn(x: f64, exponent: c_int) -> f64;
    scalbnf(x: f32, exponent: c_int) -> f32;
}

/// Converts the result of [`libm::ilogb`], which is the smallest number for zero and NaN, to C's result: `FP_ILOGB0` for zero and `FP_ILOGBNAN` for
/// NaN. On x86-64 both are the smallest number too. Source: bits/fp-logb.h of glibc.
fn exponent(exponent: c_int, is_nan: bool) -> c_int {
    match exponent {
        c_int::MIN if cfg!(target_arch = "aarch64") => {
            if is_nan {
                c_int::MAX
            } else {
                -c_int::MAX
            }
        }
        exponent => exponent,
    }
}

/// Returns the binary exponent of a number. See `exponent` for zero and NaN.
#[unsafe(no_mangle)]
pub extern "C" fn ilogb(x: f64) -> c_int {
    exponent(libm::ilogb(x), x.is_nan())
}

/// Returns the binary exponent of a number. See `exponent` for zero and NaN.
#[unsafe(no_mangle)]
pub extern "C" fn ilogbf(x: f32) -> c_int {
    exponent(libm::ilogbf(x), x.is_nan())
}

/// Rounds as `rint` does in the default mode: to the nearest integer, and to the even one if two are equally near.
#[unsafe(no_mangle)]
pub extern "C" fn nearbyint(x: f64) -> f64 {
    libm::rint(x)
}

/// Rounds as `rint` does in the default mode: to the nearest integer, and to the even one if two are equally near.
#[unsafe(no_mangle)]
pub extern "C" fn nearbyintf(x: f32) -> f32 {
    libm::rintf(x)
}

/// Defines C's functions with two results. The functions store one or both results in the caller's memory.
macro_rules! two_results {
    ($($of:ty: $sincos:ident $frexp:ident $modf:ident $lgamma_r:ident;)*) => {
        $(
            /// Stores the sine and the cosine.
            ///
            /// # Safety
            /// `sine` and `cosine` must be writable.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $sincos(x: $of, sine: *mut $of, cosine: *mut $of) {
                let results = libm::$sincos(x);
                // SAFETY: as promised by the caller.
                unsafe { (*sine, *cosine) = results };
            }

            /// Splits a number into a fraction, which is returned, and a power of two, whose exponent is stored. The magnitude of the
            /// fraction is at least 1/2 and below 1, unless the number is zero, infinite or NaN.
            ///
            /// # Safety
            /// `exponent` must be writable.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $frexp(x: $of, exponent: *mut c_int) -> $of {
                let (fraction, power) = libm::$frexp(x);
                // SAFETY: as promised by the caller.
                unsafe { *exponent = power };
                fraction
            }

            /// Splits a number into its integral part, which is stored, and its fractional part, which is returned.
            ///
            /// # Safety
            /// `whole` must be writable.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $modf(x: $of, whole: *mut $of) -> $of {
                let (fraction, before) = libm::$modf(x);
                // SAFETY: as promised by the caller.
                unsafe { *whole = before };
                fraction
            }

            /// Returns the logarithm of the absolute value of the gamma function, and stores the sign of the gamma function.
            ///
            /// # Safety
            /// `sign` must be writable.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $lgamma_r(x: $of, sign: *mut c_int) -> $of {
                let (result, its_sign) = libm::$lgamma_r(x);
                // SAFETY: as promised by the caller.
                unsafe { *sign = its_sign };
                result
            }
        )*
    };
}

two_results! {
    f64: sincos frexp modf lgamma_r;
    f32: sincosf frexpf modff lgammaf_r;
}
