//@ std
//@ support: libm
//@ automerge = "=0.12.0"
//@ input: Rewrite everything in Clojure\nRewrite everything in Haskell\nüber 日本\n
//@ input: a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n
//! Changes and merges two copies of a document, saves the document and loads it again, and loads a damaged document.
use automerge::transaction::{CommitOptions, Transactable};
use automerge::{ActorId, Automerge, AutomergeError, ObjType, ROOT, ReadDoc};

fn commit(message: &str) -> CommitOptions {
    CommitOptions::default().with_message(message.to_owned()).with_time(1_700_000_000)
}

fn change(input: &[u8]) -> Result<(Vec<u8>, String), AutomergeError> {
    let mut first = Automerge::new().with_actor(ActorId::from(b"first"));
    let lines = String::from_utf8_lossy(input);
    let (cards, note) = first
        .transact_with::<_, _, AutomergeError, _>(
            |_| commit("Add cards"),
            |tx| {
                let cards = tx.put_object(ROOT, "cards", ObjType::List)?;
                for (n, title) in lines.lines().take(30).enumerate() {
                    let card = tx.insert_object(&cards, n, ObjType::Map)?;
                    tx.put(&card, "title", title)?;
                    tx.put(&card, "done", n % 3 == 0)?;
                    tx.put(&card, "share", n as f64 / 7.0)?;
                }
                let note = tx.put_object(ROOT, "note", ObjType::Text)?;
                tx.splice_text(&note, 0, 0, &lines)?;
                Ok((cards, note))
            },
        )
        .map_err(|failure| failure.error)?
        .result;
    let mut second = first.fork().with_actor(ActorId::from(b"second"));
    second
        .transact_with::<_, _, AutomergeError, _>(|_| commit("Delete card"), |tx| tx.delete(&cards, 0))
        .map_err(|failure| failure.error)?;
    first
        .transact_with::<_, _, AutomergeError, _>(
            |_| commit("Add to the note"),
            |tx| {
                tx.splice_text(&note, 0, 0, "größe ")?;
                tx.put(ROOT, "size", lines.len() as i64)
            },
        )
        .map_err(|failure| failure.error)?;
    first.merge(&mut second)?;
    let mut text = String::new();
    for change in first.get_changes(&[]) {
        text += &format!("{:?} {} {}\n", change.message(), change.hash(), first.length_at(&cards, &[change.hash()]));
    }
    let saved = first.save();
    let loaded = Automerge::load(&saved)?;
    text += &format!("{} {:?}\n", loaded.text(&note)?, loaded.get(ROOT, "size")?);
    for n in 0..loaded.length(&cards) {
        if let Some((_, card)) = loaded.get(&cards, n)? {
            text += &format!("{:?} {:?} {:?}\n", loaded.get(&card, "title")?, loaded.get(&card, "done")?, loaded.get(&card, "share")?);
        }
    }
    Ok((saved, text))
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (mut saved, mut text) = match change(input) {
        Ok(found) => found,
        Err(error) => (input.to_vec(), error.to_string()),
    };
    if let Some(byte) = saved.get_mut(input.len() * 7 % 200) {
        *byte ^= 1 << (input.len() % 8);
    }
    match Automerge::load(&saved) {
        Ok(document) => text += &format!("{:?}", document.get_heads()),
        Err(error) => text += &error.to_string(),
    }
    saved.extend_from_slice(text.as_bytes());
    put(out, &saved)
}
