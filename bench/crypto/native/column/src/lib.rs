//! A column is an implementation of the measured operations; each table of results has a column for it. The Go package internal/column declares
//! the same operations.

pub type Nonce = [u8; 12];

/// Number of bytes that an AEAD appends to a text.
pub const OVERHEAD: usize = 16;

/// An AEAD with a key.
pub trait Aead: Send + Sync {
    /// Sets `out` to the ciphertext of `text` and the tag. `out` is [`OVERHEAD`] bytes longer than `text`.
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]);
    /// Sets `out` to the decrypted text of `sealed`. Returns true if the tag is right. `out` is [`OVERHEAD`] bytes shorter than `sealed`.
    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool;
}

/// A key of Ed25519.
pub trait Signer: Send + Sync {
    fn public(&self) -> [u8; 32];
    fn sign(&self, message: &[u8]) -> [u8; 64];
}

/// A decapsulation key of ML-KEM-768.
pub trait Kem {
    fn public(&self) -> [u8; 1184];
    fn decapsulate(&self, ciphertext: &[u8; 1088]) -> [u8; 32];
}

pub type NewAead = fn(key: &[u8; 32]) -> Box<dyn Aead>;
pub type Exchange = fn(shared: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool;
pub type NewSigner = fn(seed: &[u8; 32]) -> Box<dyn Signer>;
pub type Verify = fn(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool;
pub type Batch = fn(publics: &[[u8; 32]], messages: &[&[u8]], signatures: &[[u8; 64]]) -> bool;
pub type NewKem = fn(seed: &[u8; 64]) -> Box<dyn Kem>;
pub type Encapsulate = fn(public: &[u8; 1184]) -> ([u8; 32], [u8; 1088]);

/// One implementation of the operations. An operation that the implementation lacks is `None`.
#[derive(Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    /// AES-256-GCM.
    pub aes: Option<NewAead>,
    /// ChaCha20-Poly1305.
    pub chacha: NewAead,
    /// Sets `shared` to the shared secret. Returns false if the point is of small order.
    pub x25519: Option<Exchange>,
    pub signer: Option<NewSigner>,
    pub verify: Option<Verify>,
    /// Verifies many signatures at once.
    pub batch: Option<Batch>,
    pub kem: Option<NewKem>,
    /// Makes a random shared key and its ciphertext from the bytes of a public key.
    pub encapsulate: Option<Encapsulate>,
    /// Calls an empty function a number of times.
    pub empty: Option<fn(n: u64)>,
}

impl Column {
    /// Returns the names of the operations that the column has.
    #[must_use]
    pub fn operations(&self) -> Vec<&'static str> {
        let all: [(bool, &[&str]); 8] = [
            (self.aes.is_some(), &["aes-seal", "aes-open"]),
            (true, &["chacha-seal", "chacha-open"]),
            (self.x25519.is_some(), &["x25519"]),
            (self.signer.is_some(), &["sign"]),
            (self.verify.is_some(), &["verify"]),
            (self.batch.is_some(), &["batch"]),
            (self.kem.is_some() && self.encapsulate.is_some(), &["keygen", "encaps", "decaps"]),
            (self.empty.is_some(), &["empty"]),
        ];
        all.iter().filter(|(can, _)| *can).flat_map(|(_, names)| names.iter().copied()).collect()
    }
}

/// Uses the operations of the minimal programs once: all except ML-KEM and ChaCha20-Poly1305, which some columns lack.
///
/// # Panics
///
/// If a result is wrong, or if the column lacks an operation.
pub fn minimal(column: &Column) {
    let aead = (column.aes.expect("AES"))(&[1; 32]);
    let (mut sealed, mut text) = ([0; 80], [0; 64]);
    aead.seal(&mut sealed, &[2; 12], &[3; 64], b"");
    assert!(aead.open(&mut text, &[2; 12], &sealed, b"") && text == [3; 64]);
    let signer = (column.signer.expect("signatures"))(&[4; 32]);
    assert!((column.verify.expect("signatures"))(&signer.public(), &sealed, &signer.sign(&sealed)));
    let mut point = [0; 32];
    point[0] = 9;
    let mut shared = [0; 32];
    assert!((column.x25519.expect("X25519"))(&mut shared, &[5; 32], &point));
    println!("{shared:02x?}");
}
