//! Package automerge has documents that are changed at several places and merged.

use automerge::transaction::{CommitOptions, Transactable};
use automerge::{ActorId, AutoCommit, AutomergeError, ObjId, ObjType, ROOT, ReadDoc, ScalarValue, Value};

/// Document is a map of texts and values, with its history.
#[rustgo::object(exclusive, stack = "1m")]
pub struct Document(Whole);

/// A document with all that it owns.
struct Whole(AutoCommit);

// SAFETY: only the log of patches keeps the type from being Send, because it counts references to marks without atomics. The log is inside the
// document, and no method hands out a reference to it, so all references move together. An exclusive object has one call at a time.
unsafe impl Send for Whole {}

/// Text is a text in a document.
#[rustgo::object]
pub struct Text(ObjId);

#[rustgo::export(stack = "1m")]
impl Document {
    /// NewDocument returns an empty document whose changes have this actor.
    pub fn new(actor: &[u8]) -> Self {
        Document(Whole(AutoCommit::new().with_actor(ActorId::from(actor))))
    }

    /// Load reads a document that Save has written.
    #[rustgo::export(name = "Load", stack = "1m", blocking)]
    pub fn load(data: &[u8]) -> Result<Self, AutomergeError> {
        AutoCommit::load(data).map(|document| Document(Whole(document)))
    }

    /// Save returns the document with its history, compressed.
    #[rustgo::export(stack = "1m", blocking)]
    pub fn save(&mut self) -> Vec<u8> {
        self.0.0.save()
    }

    /// Fork returns a copy whose changes have this actor.
    #[rustgo::export(stack = "1m", blocking)]
    pub fn fork(&mut self, actor: &[u8]) -> Document {
        Document(Whole(self.0.0.fork().with_actor(ActorId::from(actor))))
    }

    /// Merge adds the changes of the other document.
    #[rustgo::export(stack = "1m", blocking)]
    pub fn merge(&mut self, other: &mut Document) -> Result<(), AutomergeError> {
        self.0.0.merge(&mut other.0.0).map(|_| ())
    }

    /// Commit joins all edits since the last commit to one change. The time is in seconds since 1970.
    pub fn commit(&mut self, message: &str, time: i64) {
        self.0.0.commit_with(CommitOptions::default().with_message(message.to_owned()).with_time(time));
    }

    /// Heads returns the hashes of the newest changes.
    pub fn heads(&mut self) -> Vec<String> {
        self.0.0.get_heads().iter().map(|hash| hash.to_string()).collect()
    }

    /// Changes returns the number of changes.
    pub fn changes(&mut self) -> u64 {
        self.0.0.get_changes(&[]).len() as u64
    }

    /// PutInt sets the value of a key.
    pub fn put_int(&mut self, key: &str, value: i64) -> Result<(), AutomergeError> {
        self.0.0.put(ROOT, key, value)
    }

    /// Int returns the value of a key, if it is an integer.
    #[rustgo::export(results(value, ok))]
    pub fn int(&self, key: &str) -> Option<i64> {
        match self.0.0.get(ROOT, key) {
            Ok(Some((Value::Scalar(value), _))) => match *value {
                ScalarValue::Int(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// PutString sets the value of a key.
    pub fn put_string(&mut self, key: &str, value: &str) -> Result<(), AutomergeError> {
        self.0.0.put(ROOT, key, value)
    }

    /// Value returns the value of a key as Rust shows it: Str("x"), F64(0.5), Counter(…).
    #[rustgo::export(results(value, ok))]
    pub fn value(&self, key: &str) -> Option<String> {
        match self.0.0.get(ROOT, key) {
            Ok(Some((Value::Scalar(value), _))) => Some(format!("{value:?}")),
            _ => None,
        }
    }

    /// PutText makes an empty text the value of a key.
    pub fn put_text(&mut self, key: &str) -> Result<Text, AutomergeError> {
        self.0.0.put_object(ROOT, key, ObjType::Text).map(Text)
    }

    /// Text returns the text that is the value of a key.
    pub fn text(&self, key: &str) -> Result<Text, AutomergeError> {
        match self.0.0.get(ROOT, key)? {
            Some((Value::Object(ObjType::Text), id)) => Ok(Text(id)),
            _ => Err(AutomergeError::InvalidObjId(key.to_owned())),
        }
    }

    /// Contents returns the characters of a text.
    #[rustgo::export(stack = "1m", blocking)]
    pub fn contents(&self, text: &Text) -> Result<String, AutomergeError> {
        self.0.0.text(&text.0)
    }

    /// Splice deletes characters of a text at the position at, and inserts others there.
    #[rustgo::export(int = "usize", stack = "1m")]
    pub fn splice(&mut self, text: &Text, at: usize, delete: usize, insert: &str) -> Result<(), AutomergeError> {
        self.0.0.splice_text(&text.0, at, delete as isize, insert)
    }
}
