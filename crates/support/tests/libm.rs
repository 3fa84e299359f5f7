//! Measures how far the results of the crate libm (feature `libm`) are from the system's C library: the figures of docs/std.md.

/// Returns numbers between two bounds. If the bounds are positive, the numbers are spread over all powers of two between them.
fn arguments(from: f64, to: f64) -> impl Iterator<Item = f64> + Clone {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    (0..10_000).map(move |_| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let part = (random >> 11) as f64 / (1u64 << 53) as f64;
        if from > 0.0 { from * (to / from).powf(part) } else { from + (to - from) * part }
    })
}

/// Returns the distance of two numbers of the same sign, in units in the last place.
fn distance(a: f64, b: f64) -> u64 {
    if a.is_nan() && b.is_nan() || a == b { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
}

fn distance32(a: f32, b: f32) -> u64 {
    if a.is_nan() && b.is_nan() || a == b { 0 } else { u64::from(a.to_bits().abs_diff(b.to_bits())) }
}

/// The largest distance that the tests allow, in units in the last place.
const MOST: u64 = 3;

#[test]
fn libm_is_near_the_system() {
    let mut wrong = Vec::new();
    let mut largest = 0;
    let mut check = |name: &str, found: u64| {
        largest = largest.max(found);
        if found > MOST {
            wrong.push(format!("{name}: {found} units"));
        }
    };
    macro_rules! of_one {
        ($($double:ident $float:ident $std:ident $from:literal..$to:literal)*) => {
            $(
                check(stringify!($double), arguments($from, $to).map(|x| distance(libm::$double(x), x.$std())).max().unwrap());
                let floats = arguments($from, $to).map(|x| x as f32);
                check(stringify!($float), floats.map(|x| distance32(libm::$float(x), x.$std())).max().unwrap());
            )*
        };
    }
    of_one! {
        sin sinf sin -100.0..100.0
        cos cosf cos -100.0..100.0
        tan tanf tan -100.0..100.0
        sin sinf sin 1e3..1e9
        asin asinf asin -1.0..1.0
        acos acosf acos -1.0..1.0
        atan atanf atan -100.0..100.0
        sinh sinhf sinh -80.0..80.0
        cosh coshf cosh -80.0..80.0
        tanh tanhf tanh -5.0..5.0
        exp expf exp -80.0..80.0
        exp2 exp2f exp2 -100.0..100.0
        expm1 expm1f exp_m1 -5.0..5.0
        log logf ln 1e-30..1e30
        log2 log2f log2 1e-30..1e30
        log10 log10f log10 1e-30..1e30
        log1p log1pf ln_1p 1e-10..1e10
        cbrt cbrtf cbrt 1e-30..1e30
    }
    let powers = arguments(1e-3, 1e3).zip(arguments(-30.0, 30.0));
    check("pow", powers.clone().map(|(x, y)| distance(libm::pow(x, y), x.powf(y))).max().unwrap());
    check("powf", powers.map(|(x, y)| (x as f32, y as f32 / 4.0)).map(|(x, y)| distance32(libm::powf(x, y), x.powf(y))).max().unwrap());
    let pairs = arguments(1e-10, 1e10).zip(arguments(-100.0, 100.0));
    check("hypot", pairs.clone().map(|(x, y)| distance(libm::hypot(x, y), x.hypot(y))).max().unwrap());
    check("atan2", pairs.clone().map(|(x, y)| distance(libm::atan2(y, x), y.atan2(x))).max().unwrap());
    // libm must give exactly these results.
    assert!(
        pairs.clone().all(|(x, y)| libm::fmod(x, y) == x % y && libm::fma(x, y, 1.0) == x.mul_add(y, 1.0) && libm::sqrt(x) == x.sqrt())
    );
    assert!(wrong.is_empty(), "{wrong:?}");
    println!("the largest distance is {largest} units in the last place");
}
