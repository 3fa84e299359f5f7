//@ manifest: [package.metadata.rustgo]
//@ manifest: threads = "none"
//! A package whose Rust code cannot start threads, without rayon: no crate of it relies on destructors, so calls go on after abandoned frames.

/// Recurse needs about depth KiB of stack.
#[rustgo::export(stack = "2m")]
pub fn recurse(depth: u64) -> u64 {
    let mut frame = [depth; 128];
    std::hint::black_box(&mut frame);
    if depth == 0 { 0 } else { recurse(depth - 1) + frame[5] / depth }
}

/// Start returns the kind of the error of starting a thread.
#[rustgo::export]
pub fn start() -> String {
    match std::thread::Builder::new().spawn(|| 1) {
        Ok(thread) => format!("{:?}", thread.join().is_ok()),
        Err(error) => format!("{:?}", error.kind()),
    }
}
