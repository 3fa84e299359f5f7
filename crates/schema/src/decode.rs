//! Decodes records, the descriptions of exports. The decoder checks every payload, because a payload may come from another version of this crate or
//! be damaged.

use crate::VERSION;
use crate::reader::{Error, Reader, once};
use crate::types::{MAX_DEPTH, owned::Type};
use crate::wire::{self, HEADER_LEN, MAGIC, record};
use alloc::string::String;
use alloc::vec::Vec;

/// The decoded content of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// An exported function. The address in the record's header is the address of the function's shim, which Go's assembly calls.
    Function(Function),
    /// A function of a run-time package. Generated code calls the function by C's calling convention. The address in the record's header is
    /// the address of the function itself.
    Routine(Function),
    /// An exported constant or static. The address in the record's header is null.
    Constant(Constant),
    /// A record of an item that does not exist, such as a method Clone of a type that is not `Clone`.
    Nothing,
}

/// The description of an exported constant or static: the owned form of [`crate::describe::Constant`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The constant's name in Go.
    pub go_name: String,
    /// The constant's path in Rust: crate, modules and constant.
    pub rust_path: String,
    /// The name of the source file, as the compiler states it.
    pub file: String,
    /// The line of the constant's name, counted from 1.
    pub line: u32,
    /// The documentation: lines joined by `\n`, each without its leading space.
    pub doc: String,
    /// The constant's type in Go.
    pub ty: Type,
    /// The value's bytes; see [`crate::describe::Constant::value`].
    pub value: Vec<u8>,
    /// True if the constant becomes a variable in Go; see [`crate::describe::Constant::variable`].
    pub variable: bool,
}

/// The description of an exported function: the owned form of [`crate::describe::Function`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The function's name in Go.
    pub go_name: String,
    /// The function's path in Rust: crate, modules and function, such as `edwards25519::scalar_base_mult`.
    pub rust_path: String,
    /// The name of the source file, as the compiler states it.
    pub file: String,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation: lines joined by `\n`, each without its leading space.
    pub doc: String,
    /// The stack budget in bytes. `None` if the author states no budget.
    pub stack: Option<u64>,
    /// A call that passes more bytes than this number is blocking; see [`crate::describe::Function::blocking`].
    pub blocking: Option<u64>,
    /// The parameters, in order.
    pub params: Vec<Field>,
    /// The results, in order.
    pub results: Vec<Field>,
    /// The offset of the result area from the start of the argument area, in bytes. It is a multiple of 8.
    pub results_offset: u32,
    /// The number of bytes of arguments and results: the number N in `$FRAME-N` of Go's assembly. It is the offset of the end of the last
    /// result or, without results, of the last argument. `go vet` (asmdecl) expects no padding after this end.
    pub frame_size: u32,
    /// The Rust path of the type that the function belongs to. Empty for a free function.
    pub owner: String,
    /// The function's role in the Go package: one of the constants in [`crate::role`].
    pub role: u32,
    /// True if results may point into memory that the parameters refer to.
    pub borrows: bool,
    /// Bit i is set if parameter i may be nil; see [`crate::describe::Function::nilable`].
    pub nilable: u64,
    /// True if panics abandon the frames of the function, although panics unwind in the package.
    pub abandons: bool,
    /// True if each call runs on a separate stack, outside of Go's memory.
    pub task: bool,
}

impl Function {
    /// True if `#[rustgo::object]` added the function because the type implements `Clone` or `Display`. Such a function has no `#[rustgo::export]`
    /// with options; the option `stack` of `#[rustgo::object]` is its stack budget.
    #[must_use]
    pub fn is_added(&self) -> bool {
        // The Rust path of an added function ends with `>`. The path of a function that the author wrote never does.
        self.rust_path.ends_with('>')
    }
}

/// A parameter or result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The parameter's name in Rust, or the result's name in `results(…)`. Empty for a result without a name.
    pub name: String,
    /// The type in Go.
    pub ty: Type,
    /// The offset of the parameter or result from the start of the argument area, in bytes.
    pub offset: u32,
}

/// A record of the section [`crate::SECTION`]. Its payload is not decoded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawRecord<'a> {
    /// The offset of the record's address from the start of the section. The address has eight bytes, filled by a relocation.
    pub address_offset: usize,
    /// The record's kind: one of the constants in [`crate::record`].
    pub kind: u32,
    /// The encoded description of the exported item.
    pub payload: &'a [u8],
}

/// Iterates over the records of the section [`crate::SECTION`], in order. The iterator ends after the first error.
#[must_use]
pub fn records(section: &[u8]) -> Records<'_> {
    Records { section, at: 0 }
}

/// The iterator that [`records`] returns.
#[derive(Debug, Clone)]
pub struct Records<'a> {
    section: &'a [u8],
    at: usize,
}

/// The number of bytes of a record's header: address, length and kind.
const RECORD_HEADER_LEN: usize = 16;

impl<'a> Iterator for Records<'a> {
    type Item = Result<RawRecord<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.section.len() {
            return None;
        }
        let record = self.read();
        if record.is_err() {
            self.at = self.section.len();
        }
        Some(record)
    }
}

impl<'a> Records<'a> {
    fn read(&mut self) -> Result<RawRecord<'a>, Error> {
        let address_offset = self.at;
        let mut reader = Reader::new(&self.section[address_offset..]);
        reader.take(8, "the address of a record")?;
        let len = reader.u32("the length of a payload")? as usize;
        let kind = reader.u32("the head of a record")?;
        let payload = reader.take(len, "a payload")?;
        let padding = (RECORD_HEADER_LEN + len).next_multiple_of(8) - (RECORD_HEADER_LEN + len);
        if reader.take(padding, "the padding after a payload")?.iter().any(|&byte| byte != 0) {
            return Err(Error::Invalid { what: "padding that is not zero" });
        }
        self.at = self.section.len() - reader.left();
        Ok(RawRecord { address_offset, kind, payload })
    }
}

impl RawRecord<'_> {
    /// Decodes the record's payload.
    ///
    /// # Errors
    /// If the record has another version or an unknown kind, or is damaged or not complete.
    pub fn decode(&self) -> Result<Record, Error> {
        // The version is checked before the kind, because the version determines the meaning of the kind.
        let fields = fields(self.payload)?;
        match self.kind {
            record::FUNCTION => function(fields).map(Record::Function),
            record::ROUTINE => function(fields).map(Record::Routine),
            record::CONSTANT => constant(fields).map(Record::Constant),
            record::NOTHING => fields.end("fields of nothing").map(|()| Record::Nothing),
            kind => Err(Error::Kind { kind }),
        }
    }
}

/// Checks the header of a payload. Returns a reader of the payload's fields.
fn fields(payload: &[u8]) -> Result<Reader<'_>, Error> {
    let mut header = Reader::new(payload);
    if header.take(MAGIC.len(), "the header")? != MAGIC {
        return Err(Error::Magic);
    }
    let version = header.u16("the header")?;
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    header.u16("the header")?;
    let len = header.u32("the header")? as usize;
    debug_assert_eq!(payload.len() - header.left(), HEADER_LEN);
    let fields = header.part(len, "the fields")?;
    header.end("bytes after the last field")?;
    Ok(fields)
}

fn function(fields: Reader<'_>) -> Result<Function, Error> {
    use wire::function as tag;

    let mut go_name = None;
    let mut rust_path = None;
    let mut file = None;
    let mut line = None;
    let mut doc = None;
    let mut stack = None;
    let mut blocking = None;
    let mut params = Vec::new();
    let mut results = Vec::new();
    let mut results_offset = None;
    let mut frame_size = None;
    let mut owner = None;
    let mut role = None;
    let mut borrows = None;
    let mut nilable = None;
    let mut abandons = None;
    let mut task = None;
    fields.each("an export", |number, mut content| {
        match number {
            tag::GO_NAME => once(&mut go_name, content.text()?)?,
            tag::RUST_PATH => once(&mut rust_path, content.text()?)?,
            tag::FILE => once(&mut file, content.text()?)?,
            tag::LINE => once(&mut line, content.u32("the line")?)?,
            tag::DOC => once(&mut doc, content.text()?)?,
            tag::STACK => once(&mut stack, content.u64("the stack budget")?)?,
            tag::BLOCKING => once(&mut blocking, content.u64("the size from which on a call blocks")?)?,
            tag::PARAM => params.push(field(content.rest())?),
            tag::RESULT => results.push(field(content.rest())?),
            tag::RESULTS_OFFSET => once(&mut results_offset, content.u32("the offset of the results")?)?,
            tag::FRAME_SIZE => once(&mut frame_size, content.u32("the size of arguments and results")?)?,
            tag::OWNER => once(&mut owner, content.text()?)?,
            tag::ROLE => once(&mut role, content.u32("the role of a function")?)?,
            tag::BORROWS => once(&mut borrows, ())?,
            tag::NILABLE => once(&mut nilable, content.u64("which parameters may be nil")?)?,
            tag::ABANDONS => once(&mut abandons, ())?,
            tag::TASK => once(&mut task, ())?,
            _ => return Ok(false),
        }
        content.end("bytes after a value")?;
        Ok(true)
    })?;

    Ok(Function {
        go_name: go_name.ok_or(Error::Missing { what: "Go name" })?,
        rust_path: rust_path.ok_or(Error::Missing { what: "path of the function" })?,
        file: file.ok_or(Error::Missing { what: "source file" })?,
        line: line.ok_or(Error::Missing { what: "line" })?,
        doc: doc.ok_or(Error::Missing { what: "documentation" })?,
        stack,
        blocking,
        params,
        results,
        results_offset: results_offset.ok_or(Error::Missing { what: "offset of the results" })?,
        frame_size: frame_size.ok_or(Error::Missing { what: "size of arguments and results" })?,
        owner: owner.unwrap_or_default(),
        role: match role.unwrap_or(wire::role::FUNCTION) {
            role @ ..=wire::role::RELEASE => role,
            _ => return Err(Error::Invalid { what: "a role that this rustgo does not know" }),
        },
        borrows: borrows.is_some(),
        nilable: nilable.unwrap_or_default(),
        abandons: abandons.is_some(),
        task: task.is_some(),
    })
}

fn constant(fields: Reader<'_>) -> Result<Constant, Error> {
    use wire::constant as tag;

    let mut go_name = None;
    let mut rust_path = None;
    let mut file = None;
    let mut line = None;
    let mut doc = None;
    let mut ty = None;
    let mut value = None;
    let mut variable = None;
    fields.each("a constant", |number, mut content| {
        match number {
            tag::GO_NAME => once(&mut go_name, content.text()?)?,
            tag::RUST_PATH => once(&mut rust_path, content.text()?)?,
            tag::FILE => once(&mut file, content.text()?)?,
            tag::LINE => once(&mut line, content.u32("the line")?)?,
            tag::DOC => once(&mut doc, content.text()?)?,
            tag::TYPE => once(&mut ty, content.ty(MAX_DEPTH)?)?,
            tag::VALUE => once(&mut value, content.take(content.left(), "the value")?.to_vec())?,
            tag::VARIABLE => once(&mut variable, ())?,
            _ => return Ok(false),
        }
        content.end("bytes after a value")?;
        Ok(true)
    })?;

    Ok(Constant {
        go_name: go_name.ok_or(Error::Missing { what: "Go name" })?,
        rust_path: rust_path.ok_or(Error::Missing { what: "path of the constant" })?,
        file: file.ok_or(Error::Missing { what: "source file" })?,
        line: line.ok_or(Error::Missing { what: "line" })?,
        doc: doc.ok_or(Error::Missing { what: "documentation" })?,
        ty: ty.ok_or(Error::Missing { what: "type" })?,
        value: value.ok_or(Error::Missing { what: "value" })?,
        variable: variable.is_some(),
    })
}

/// Decodes a parameter or result.
fn field(content: Reader<'_>) -> Result<Field, Error> {
    use wire::field as tag;

    let mut name = None;
    let mut offset = None;
    let mut ty = None;
    content.each("a parameter or result", |number, mut content| {
        match number {
            tag::NAME => once(&mut name, content.text()?)?,
            tag::OFFSET => once(&mut offset, content.u32("the offset of a parameter or result")?)?,
            tag::TYPE => once(&mut ty, content.ty(MAX_DEPTH)?)?,
            _ => return Ok(false),
        }
        content.end("bytes after a value")?;
        Ok(true)
    })?;
    Ok(Field {
        name: name.ok_or(Error::Missing { what: "name of a parameter or result" })?,
        ty: ty.ok_or(Error::Missing { what: "type of a parameter or result" })?,
        offset: offset.ok_or(Error::Missing { what: "offset of a parameter or result" })?,
    })
}
