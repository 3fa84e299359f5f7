//@ manifest: libm = "=0.2.16"
//! Functions of `f64` and `f32` equal the crate libm's, bit by bit. Natively std calls the system's, so the native program
//! calls libm directly.

fn number(x: u64) -> f64 {
    // From tiny to large, and negative numbers.
    let magnitude = (x % 1000) as f64 / 37.0 + 1e-3;
    let number = if x.is_multiple_of(7) { magnitude * 1e5 } else { magnitude };
    if x.is_multiple_of(3) { -number } else { number }
}

fn sum(results: &[f64]) -> u64 {
    results.iter().fold(0, |sum: u64, result| sum.rotate_left(7) ^ if result.is_nan() { 1 } else { result.to_bits() })
}

fn sum32(results: &[f32]) -> u64 {
    results.iter().fold(0, |sum: u64, result| sum.rotate_left(7) ^ if result.is_nan() { 1 } else { u64::from(result.to_bits()) })
}

macro_rules! same {
    ($sum:ident, $x:ident: $($name:ident = $of_libm:ident)*) => {
        if cfg!(rustgo) { $sum(&[$($x.$name()),*]) } else { $sum(&[$(libm::$of_libm($x)),*]) }
    };
}

#[rustgo::export]
pub fn doubles(x: u64) -> u64 {
    let x = number(x);
    same!(sum, x: sin=sin cos=cos tan=tan asin=asin acos=acos atan=atan sinh=sinh cosh=cosh tanh=tanh exp=exp exp2=exp2 exp_m1=expm1
        ln=log log2=log2 log10=log10 ln_1p=log1p cbrt=cbrt floor=floor ceil=ceil round=round trunc=trunc round_ties_even=rint sqrt=sqrt)
}

#[rustgo::export]
pub fn floats(x: u64) -> u64 {
    let x = number(x) as f32;
    same!(sum32, x: sin=sinf cos=cosf tan=tanf asin=asinf acos=acosf atan=atanf sinh=sinhf cosh=coshf tanh=tanhf exp=expf exp2=exp2f
        exp_m1=expm1f ln=logf log2=log2f log10=log10f ln_1p=log1pf cbrt=cbrtf floor=floorf ceil=ceilf round=roundf trunc=truncf
        round_ties_even=rintf sqrt=sqrtf)
}

#[rustgo::export]
pub fn of_two(x: u64) -> u64 {
    let (a, b) = (number(x), number(x / 5 + 3));
    let (c, d) = (a as f32, b as f32);
    let (doubles, floats) = if cfg!(rustgo) {
        let (sine, cosine) = a.sin_cos();
        (
            [a.powf(b), a.atan2(b), a.hypot(b), a % b, a.mul_add(b, -a), sine, cosine],
            [c.powf(d), c.atan2(d), c.hypot(d), c % d, c.mul_add(d, -c)],
        )
    } else {
        let (sine, cosine) = libm::sincos(a);
        (
            [libm::pow(a, b), libm::atan2(a, b), libm::hypot(a, b), libm::fmod(a, b), libm::fma(a, b, -a), sine, cosine],
            [libm::powf(c, d), libm::atan2f(c, d), libm::hypotf(c, d), libm::fmodf(c, d), libm::fmaf(c, d, -c)],
        )
    };
    sum(&doubles) ^ sum32(&floats).rotate_left(17)
}
