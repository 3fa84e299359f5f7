//! The cases. A case whose name begins with `control` has a branch or an address that depends on a secret, which valgrind must report.

use crate::memcheck::{has_secret, public, secret};
use libcrux_ml_kem::mlkem768::generate_key_pair;
use rustgo_aesgcm::AEAD;
use rustgo_ed25519::PrivateKey;
use rustgo_mlkem768::DecapsulationKey;
use std::hint::black_box;

pub const CASES: &[(&str, fn())] = &[
    ("control-branch", control_branch),
    ("control-address", control_address),
    ("aesgcm-seal-128", || seal::<16, SHORT, { SHORT + TAG }>()),
    ("aesgcm-seal-256", || seal::<32, SHORT, { SHORT + TAG }>()),
    ("aesgcm-seal-long", || seal::<32, LONG, { LONG + TAG }>()),
    ("aesgcm-open-right", || open::<SHORT, { SHORT + TAG }>(true)),
    ("aesgcm-open-wrong", || open::<SHORT, { SHORT + TAG }>(false)),
    ("aesgcm-open-long-right", || open::<LONG, { LONG + TAG }>(true)),
    ("aesgcm-open-long-wrong", || open::<LONG, { LONG + TAG }>(false)),
    ("x25519-exchange", exchange),
    ("x25519-base-point", exchange_base),
    ("ed25519-new-key", new_key),
    ("ed25519-sign", sign),
    ("mlkem768-new-key", new_decapsulation_key),
    ("mlkem768-encapsulate", encapsulate),
    ("mlkem768-decapsulate-valid", || decapsulate(true)),
    ("mlkem768-decapsulate-invalid", || decapsulate(false)),
];

/// Returns `N` bytes of a pattern in which neighbouring bytes differ.
fn bytes<const N: usize>(first: u8) -> [u8; N] {
    std::array::from_fn(|i| (i as u8).wrapping_mul(167).wrapping_add(first))
}

/// Runs `call` with a public input, then with the same input as a secret, and compares the results.
fn both<I: Clone, O: PartialEq>(input: &I, call: impl Fn(&I) -> O) {
    let expected = call(input);
    let mut hidden = Box::new(input.clone());
    secret(&mut *hidden);
    let mut result = call(&hidden);
    assert!(has_secret(&result), "valgrind has lost the secret on the way");
    public(&mut result);
    assert!(result == expected, "secrets change the result");
}

fn control_branch() {
    let mut input = bytes::<32>(1);
    secret(&mut input);
    // Only one side of this condition has a call, so the compiler must make a branch and cannot select between two values instead.
    if input[7] & 1 == 1 {
        println!("the byte is odd");
    }
}

fn control_address() {
    let table = black_box(bytes::<256>(2));
    let mut input = bytes::<32>(1);
    secret(&mut input);
    black_box(table[usize::from(input[7])]);
}

/// The length of a text that needs the code for eight blocks, for single blocks, and for a part of a block.
const SHORT: usize = 128 * 3 + 16 * 3 + 5;
/// The length of a text that also needs the code for long texts.
const LONG: usize = 1024 + SHORT;
const TAG: usize = 16;

fn seal<const KEY: usize, const TEXT: usize, const SEALED: usize>() {
    both(&(bytes::<KEY>(1), bytes::<TEXT>(2)), |(key, text)| {
        let mut sealed = [0; SEALED];
        AEAD::new(key).expect("a length that there is").seal(&mut sealed, text, &bytes(3), &bytes::<21>(4));
        sealed
    });
}

/// The key is secret, the ciphertext is not. Valgrind reports the check of the tag, which shows that the tag depends on the secret. public.txt
/// allows this report.
fn open<const TEXT: usize, const SEALED: usize>(is_right: bool) {
    let (mut key, plain) = (bytes::<32>(1), bytes::<TEXT>(2));
    let mut sealed = [0; SEALED];
    AEAD::new(&key).expect("a length that there is").seal(&mut sealed, &plain, &bytes(3), &bytes::<21>(4));
    let mut text: [u8; TEXT] = sealed[..TEXT].try_into().expect("the text without the tag");
    let mut tag: [u8; TAG] = sealed[TEXT..].try_into().expect("the tag");
    if !is_right {
        tag[15] ^= 1;
    }
    secret(&mut key);
    let mut ok = AEAD::new(&key).expect("a length that there is").open_in_place(&mut text, &tag, &bytes(3), &bytes::<21>(4));
    public(&mut ok);
    assert!(ok == is_right);
    assert!(has_secret(&text) == is_right, "plaintext is secret, and zeros are not");
    public(&mut text);
    assert!(text == if is_right { plain } else { [0; TEXT] });
}

fn exchange() {
    let mut point = [0; 32];
    rustgo_x25519::exchange_base(&mut point, &bytes(5));
    both(&bytes::<32>(1), |scalar| {
        let mut shared = [0; 32];
        let mut ok = rustgo_x25519::exchange(&mut shared, scalar, &point);
        public(&mut ok);
        assert!(ok, "the point is of large order");
        shared
    });
}

fn exchange_base() {
    both(&bytes::<32>(1), |scalar| {
        let mut key = [0; 32];
        rustgo_x25519::exchange_base(&mut key, scalar);
        key
    });
}

fn new_key() {
    both(&bytes::<32>(1), |seed| {
        let mut key = [0; 32];
        PrivateKey::new(seed).public(&mut key);
        key
    });
}

fn sign() {
    both(&bytes::<32>(1), |seed| {
        let mut signature = [0; 64];
        PrivateKey::new(seed).sign(&mut signature, &bytes::<200>(2));
        signature
    });
}

fn new_decapsulation_key() {
    both(&bytes::<64>(1), |seed| {
        let mut key = [0; 1184];
        DecapsulationKey::new(seed).encapsulation_key().copy_to(&mut key);
        key
    });
}

fn encapsulate() {
    let key = DecapsulationKey::new(&bytes(1)).encapsulation_key();
    both(&bytes::<32>(2), |message| {
        let (mut shared, mut ciphertext) = ([0; 32], [0; 1088]);
        key.encapsulate(&mut shared, &mut ciphertext, message);
        (shared, ciphertext)
    });
}

fn decapsulate(is_valid: bool) {
    let seed = bytes(1);
    let key = DecapsulationKey::new(&seed);
    let (mut shared, mut ciphertext) = ([0; 32], [0; 1088]);
    key.encapsulation_key().encapsulate(&mut shared, &mut ciphertext, &bytes(2));
    if !is_valid {
        ciphertext[700] ^= 4;
    }
    let call = || {
        let mut result = [0; 32];
        key.decapsulate(&mut result, &ciphertext);
        result
    };
    let expected = call();
    assert!((expected == shared) == is_valid, "implicit rejection");
    hide_secrets(&key, &seed);
    let mut result = call();
    assert!(has_secret(&result), "valgrind has lost the secret on the way");
    public(&mut result);
    assert!(result == expected, "secrets change the result");
}

/// Marks the secrets in a key's memory as secret. The public key lies between the secrets and stays public: the matrix is computed from the public
/// key by rejection sampling, so the time of the computation depends on the public key.
fn hide_secrets(key: &DecapsulationKey, seed: &[u8; 64]) {
    const { assert!(size_of::<DecapsulationKey>() == size_of::<*mut u8>()) };
    let (private, _) = generate_key_pair(*seed).into_parts();
    let encoded: &[u8; 2400] = private.as_slice();
    // By algorithms 13 and 16 of FIPS 203, the encoded key consists of the vector ŝ, the encapsulation key, its hash, and z.
    let (vector, z) = (&encoded[..1152], &encoded[2400 - 32..]);
    // SAFETY: a DecapsulationKey is a box, a pointer to memory from malloc. All of the memory was written, and nothing else refers to it now.
    let memory = unsafe {
        let start = *(&raw const *key).cast::<*mut u8>();
        std::slice::from_raw_parts_mut(start, libc::malloc_usable_size(start.cast()))
    };
    let mut places = Vec::new();
    for part in [vector, z, &seed[..32]] {
        let before = places.len();
        places.extend(memory.windows(part.len()).enumerate().filter(|(_, window)| *window == part).map(|(at, _)| at..at + part.len()));
        assert!(places.len() > before, "a secret of the key is not where it is looked for");
    }
    for place in places {
        secret(&mut memory[place]);
    }
}
