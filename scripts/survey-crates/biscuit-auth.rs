//@ std
//@ support: libm
//@ biscuit-auth = "=6.0.0"
//@ rand_chacha = "0.3"
//@ rand_core = "0.6"
//@ input: resource("/a/file1.txt");\noperation("read");\nallow if right("/a/file1.txt", "read");\ndeny if true;
//@ input: operation("write"); resource("/a/file1.txt");\nok($x) <- right($x, "write"), $x.starts_with("/b/");\ncheck if ok($f), $f.matches("^/b/.*[.]txt$");\ncheck all right($f, $op), {"read", "write"}.contains($op);\nallow if 1 + 2 * 3 == 7, hex:0aff != hex:00;\n
//@ input: time(2024-01-31T12:00:00Z); resource("/a/file1.txt"); operation("read"); check if time($t), $t < 2025-01-01T00:00:00Z; allow if resource($r), right($r, "read") or false; deny if 9223372036854775807 + 1 > 0;
//! Makes a signed token, attenuates it, and lets an authorizer decide by the rules in the input. Reads a damaged copy of the token, too.
use biscuit_auth::builder::{Algorithm, AuthorizerBuilder, BiscuitBuilder, BlockBuilder};
use biscuit_auth::{AuthorizerLimits, Biscuit, KeyPair, error};
use rand_core::SeedableRng;
use std::time::Duration;

fn authorize(rules: &str) -> Result<String, error::Token> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let root = KeyPair::new_with_rng(Algorithm::Ed25519, &mut rng);
    let authority = r#"right("/a/file1.txt", "read"); right("/a/file1.txt", "write"); right("/b/file3.txt", "write");"#;
    let builder: BiscuitBuilder = BiscuitBuilder::new().code(authority)?;
    let token = builder.build_with_rng(&root, Default::default(), &mut rng)?;
    let next = KeyPair::new_with_rng(Algorithm::Secp256r1, &mut rng);
    let block = BlockBuilder::new().code(r#"check if resource("/a/file1.txt"), operation("read");"#)?;
    let token = token.append_with_keypair(&next, block)?;
    let mut bytes = token.to_vec()?;
    let token = Biscuit::from(&bytes, root.public())?;
    let mut text = format!("{token}\n");
    let limits = AuthorizerLimits { max_time: Duration::from_secs(1000), ..Default::default() };
    let mut authorizer = AuthorizerBuilder::new().code(rules)?.set_limits(limits).build(&token)?;
    match authorizer.authorize() {
        Ok(policy) => text += &format!("policy {policy}\n"),
        Err(error) => text += &format!("{error}\n"),
    }
    let at = rules.len() * 7 % bytes.len();
    bytes[at] ^= 1 << (rules.len() % 8);
    match Biscuit::from(&bytes, root.public()) {
        Ok(token) => text += &token.to_string(),
        Err(error) => text += &error.to_string(),
    }
    Ok(text)
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = match authorize(&String::from_utf8_lossy(input)) {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
