//! The results of each operation for fixed inputs.

use crate::{inputs, load};
use column::{Aead, Batch, Column, Exchange, NewSigner, OVERHEAD, Verify};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        write!(out, "{byte:02x}").expect("memory");
        out
    })
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("two digits")).collect()
}

/// Returns a JSON object with the results, which are strings. `ciphertext` is an ML-KEM-768 ciphertext in hexadecimal.
pub fn check(column: &Column, ciphertext: &str) -> String {
    let mut all = Vec::new();
    for (name, new) in [("aes", column.aes), ("chacha", Some(column.chacha))] {
        let Some(new) = new else { continue };
        let aead = new(&inputs::key());
        for length in [0, 1, 16, 64, 1000, 16384] {
            all.push((format!("{name} {length}"), sealed(aead.as_ref(), length)));
        }
    }
    if let Some(exchange) = column.x25519 {
        all.push(("x25519".into(), exchanged(exchange)));
    }
    if let (Some(new), Some(verify)) = (column.signer, column.verify) {
        for length in [0, 64, 1000] {
            all.push((format!("sign {length}"), signed(new, verify, length)));
        }
        if let Some(batch) = column.batch {
            all.push(("batch".into(), batched(new, batch)));
        }
    }
    if let (Some(new), Some(encapsulate)) = (column.kem, column.encapsulate) {
        let kem = new(&inputs::counting(4));
        all.push(("keygen".into(), hex(&Sha256::digest(kem.public()))));
        all.push(("decaps".into(), hex(&kem.decapsulate(&unhex(ciphertext).try_into().expect("1088 bytes")))));
        let (shared, ciphertext) = encapsulate(&kem.public());
        all.push(("encaps".into(), format!("{}:{}", hex(&ciphertext), hex(&shared))));
    }
    if column.aes.is_some() {
        all.push(("chunks".into(), hex(&Sha256::digest(load::stream(column, &inputs::text((1 << 20) + 5), 1 << 16, 2)))));
    }
    let items: Vec<String> = all.iter().map(|(name, result)| format!(r#""{name}":"{result}""#)).collect();
    format!("{{{}}}", items.join(","))
}

/// Returns the hash of a ciphertext, whether the ciphertext can be decrypted, and whether it can be decrypted after a change.
fn sealed(aead: &dyn Aead, length: usize) -> String {
    let text = inputs::text(length);
    let mut sealed = vec![0; length + OVERHEAD];
    let mut opened = vec![0; length];
    aead.seal(&mut sealed, &inputs::nonce(), &text, &inputs::additional());
    let hash = hex(&Sha256::digest(&sealed));
    let opens = aead.open(&mut opened, &inputs::nonce(), &sealed, &inputs::additional()) && opened == text;
    sealed[length / 2] ^= 1;
    format!("{hash} {opens} {}", aead.open(&mut opened, &inputs::nonce(), &sealed, &inputs::additional()))
}

/// Returns the result of ten exchanges, each with the last secret as the point, and whether a point of small order is refused.
fn exchanged(exchange: Exchange) -> String {
    let (mut scalar, mut shared) = (inputs::counting(2), inputs::point());
    let mut fine = true;
    for _ in 0..10 {
        let point = shared;
        fine &= exchange(&mut shared, &scalar, &point);
        scalar[5] ^= shared[0];
    }
    fine &= !exchange(&mut [0; 32], &scalar, &[0; 32]);
    format!("{} {fine}", hex(&shared))
}

/// Returns whether a batch of valid signatures is accepted, and whether a batch with an invalid signature is accepted.
fn batched(new: NewSigner, batch: Batch) -> String {
    let signer = new(&inputs::counting(1));
    let texts: Vec<Vec<u8>> = (0..8).map(|i| inputs::text(inputs::MESSAGE + i)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[text.len() - inputs::MESSAGE..]).collect();
    let mut signatures: Vec<[u8; 64]> = texts.iter().map(|text| signer.sign(text)).collect();
    let publics = vec![signer.public(); texts.len()];
    let good = batch(&publics, &texts, &signatures);
    signatures[3][1] ^= 1;
    format!("{good} {}", batch(&publics, &texts, &signatures))
}

fn signed(new: NewSigner, verify: Verify, length: usize) -> String {
    let text = inputs::text(length);
    let signer = new(&inputs::counting(1));
    let mut signature = signer.sign(&text);
    let public = signer.public();
    let out = format!("{} {} {}", hex(&public), hex(&signature), verify(&public, &text, &signature));
    signature[40] ^= 1;
    format!("{out} {}", verify(&public, &text, &signature))
}
