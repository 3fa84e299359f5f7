//! The program's main loop: answers the questions of the Go test.

use crate::call::{self, Session};
use crate::describe::describe;
use crate::exports::Exports;
use crate::limit;
use crate::objects::Object;
use crate::protocol::{Reader, Result, answer, ask};
use crate::show::Show;
use rustgo_schema::{Basic, Constant, Type};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};

/// Answers questions from the standard input until the input ends. Output of the crate under test goes to the standard error.
pub fn serve() {
    // The stack is large, so that calls do not overflow it. Other tests cover Go's stack limit.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        let mut output = answers();
        call::remember_panics();
        let served = run(&mut io::stdin().lock(), &mut output);
        if let Err(error) = served {
            eprintln!("{error}");
            std::process::exit(1);
        }
    });
    drop(thread.map(std::thread::JoinHandle::join));
}

/// Returns a file for answers: a duplicate of the standard output. Descriptor 1 is then redirected to the standard error, because the crate under
/// test may print.
#[cfg(unix)]
fn answers() -> File {
    use std::os::fd::FromRawFd;
    unsafe extern "C" {
        safe fn dup(from: i32) -> i32;
        safe fn dup2(from: i32, to: i32) -> i32;
    }
    let own = dup(1);
    dup2(2, 1);
    // SAFETY: the descriptor was just duplicated, and nothing else owns it.
    unsafe { File::from_raw_fd(own) }
}

#[cfg(not(unix))]
fn answers() -> io::Stdout {
    io::stdout()
}

fn run(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let exports = Exports::find();
    let mut session = Session::default();
    while let Some(question) = read(input)? {
        let (kind, text) = match &exports {
            Ok(exports) => reply(exports, &mut session, &question).unwrap_or_else(|why| (answer::MISUNDERSTOOD, why)),
            Err(why) => (answer::MISUNDERSTOOD, why.clone()),
        };
        if limit::was_reached() {
            return Err(io::Error::other("the call wanted more memory than it may have"));
        }
        let len = u32::try_from(text.len() + 1).map_err(io::Error::other)?;
        let mut message = len.to_le_bytes().to_vec();
        message.push(kind);
        message.extend_from_slice(text.as_bytes());
        output.write_all(&message)?;
        output.flush()?;
    }
    Ok(())
}

/// Reads the next question. `None` at the end of the input.
fn read(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut len = [0; 4];
    match input.read_exact(&mut len) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut question = vec![0; u32::from_le_bytes(len) as usize];
    input.read_exact(&mut question)?;
    Ok(Some(question))
}

/// Answers a question. An error is the reason why the question was not understood.
pub fn reply(exports: &Exports, session: &mut Session, question: &[u8]) -> Result<(u8, String)> {
    let mut from = Reader::new(question);
    match from.u8()? {
        ask::DESCRIBE => Ok((answer::TEXT, describe(exports, |constant| constant_text(exports, constant)))),
        ask::CALL => {
            let (number, most) = (from.u32()? as usize, from.u32()? as usize);
            call::call(exports, session, number, most, &mut from)
        }
        ask::FORGET => {
            session.objects.values_mut().for_each(Object::close);
            *session = Session::default();
            Ok((answer::TEXT, String::new()))
        }
        ask::CLOSE => {
            let number = from.u32()?;
            session.objects.get_mut(&number).ok_or_else(|| format!("there is no object {number}"))?.close();
            Ok((answer::TEXT, String::new()))
        }
        ask::ZERO => {
            let words = from.u32()?;
            session.last += 1;
            session.objects.insert(session.last, Object::zero(u64::from(words)));
            Ok((answer::TEXT, String::new()))
        }
        other => Err(format!("{other} is no question")),
    }
}

fn constant_text(exports: &Exports, constant: &Constant) -> String {
    let mut show = Show { exports, objects: &mut BTreeMap::new(), next: &mut 1, text: String::new() };
    let words = |bytes: &[u8]| {
        let mut words = vec![0_u64; bytes.len().div_ceil(8) + 1];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(all);
        }
        words
    };
    let value = words(&constant.value);
    let string = [value.as_ptr().expose_provenance(), constant.value.len()];
    let at: *const u8 = if constant.ty == Type::Basic(Basic::String) { (&raw const string).cast() } else { value.as_ptr().cast() };
    // SAFETY: `at` is the address of the constant's value in Go's layout.
    unsafe { show.value(&constant.ty, at) };
    show.text
}
