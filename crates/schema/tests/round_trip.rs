//! `decode` reads what `encode` has written. It refuses all other bytes, and never panics.
#![cfg(feature = "decode")]

use rustgo_schema::{
    Basic, Constant, Decl, Describe, Error, Field, Function, Member, Method, RawRecord, Record, Type, VERSION, Variant, describe, record,
    records, role,
};

/// Decodes a payload that describes an exported function.
fn decode(payload: &[u8]) -> Result<Function, Error> {
    RawRecord { address_offset: 0, kind: record::FUNCTION, payload }.decode().map(|record| match record {
        Record::Function(function) => function,
        other => panic!("it is no function: {other:?}"),
    })
}

const U8: describe::Type = describe::Type::Basic(Basic::Uint8);
const KEY: describe::Type = describe::Type::Array { len: 32, elem: &U8 };

/// The description of `fn seal(dst: &mut [u8; 32], keys: &[[u8; 32]], name: &str, r: char, log: Handle<Log>) -> (bool, u64)`.
const SEAL: describe::Function = describe::Function {
    go_name: "Seal",
    rust_path: "crypt::seal",
    file: "src/lib.rs",
    line: 7,
    doc: "Seal seals.\n\nIt is größer.",
    stack: Some(65536),
    blocking: Some(1 << 20),
    params: &[
        describe::Field { name: "dst", ty: describe::Type::Pointer { mutable: true, elem: &KEY }, offset: 0 },
        describe::Field { name: "keys", ty: describe::Type::Slice { mutable: false, elem: &KEY }, offset: 8 },
        describe::Field { name: "name", ty: describe::Type::Basic(Basic::String), offset: 32 },
        describe::Field { name: "r", ty: describe::Type::Basic(Basic::Rune), offset: 48 },
        describe::Field { name: "log", ty: describe::Type::Handle { of: "*Log" }, offset: 56 },
    ],
    results: &[
        describe::Field { name: "", ty: describe::Type::Basic(Basic::Bool), offset: 0 },
        describe::Field { name: "", ty: describe::Type::Basic(Basic::Uint64), offset: 8 },
    ],
    results_offset: 64,
    frame_size: 80,
    owner: "crypt::Sealer",
    role: role::METHOD,
    borrows: true,
    nilable: 0,
    abandons: true,
    task: true,
};

const SEAL_BYTES: [u8; Describe::Function(&SEAL).encoded_len()] = Describe::Function(&SEAL).encode();

fn seal() -> Function {
    let key = || Box::new(Type::Array { len: 32, elem: Box::new(Type::Basic(Basic::Uint8)) });
    let field = |name: &str, ty, offset| Field { name: name.into(), ty, offset };
    Function {
        go_name: "Seal".into(),
        rust_path: "crypt::seal".into(),
        file: "src/lib.rs".into(),
        line: 7,
        doc: "Seal seals.\n\nIt is größer.".into(),
        stack: Some(65536),
        blocking: Some(1 << 20),
        params: vec![
            field("dst", Type::Pointer { mutable: true, elem: key() }, 0),
            field("keys", Type::Slice { mutable: false, elem: key() }, 8),
            field("name", Type::Basic(Basic::String), 32),
            field("r", Type::Basic(Basic::Rune), 48),
            field("log", Type::Handle { of: "*Log".into() }, 56),
        ],
        // Offsets of results, like offsets of parameters, count from the start of the argument area.
        results: vec![field("", Type::Basic(Basic::Bool), 64), field("", Type::Basic(Basic::Uint64), 72)],
        results_offset: 64,
        frame_size: 80,
        owner: "crypt::Sealer".into(),
        role: role::METHOD,
        borrows: true,
        nilable: 0,
        abandons: true,
        task: true,
    }
}

const NOTHING: describe::Function =
    describe::Function { go_name: "Nothing", rust_path: "c::nothing", file: "a.rs", line: 1, ..describe::Function::EMPTY };

/// A payload of version 1, written by hand. The decoder must read it as long as the version is 1.
fn by_hand() -> Vec<u8> {
    let mut fields = Vec::new();
    let mut field = |tag: u16, content: &[u8]| {
        fields.extend(tag.to_le_bytes());
        fields.extend((content.len() as u32).to_le_bytes());
        fields.extend(content);
    };
    field(1, b"Nothing");
    field(2, b"c::nothing");
    field(3, b"a.rs");
    field(4, &[1, 0, 0, 0]);
    field(5, b"");
    field(9, &[0; 4]);
    field(10, &[0; 4]);
    payload(1, &fields)
}

fn payload(version: u16, fields: &[u8]) -> Vec<u8> {
    let mut payload = b"rsgo".to_vec();
    payload.extend(version.to_le_bytes());
    payload.extend([0, 0]);
    payload.extend((fields.len() as u32).to_le_bytes());
    payload.extend(fields);
    payload
}

#[test]
fn an_export_comes_back() {
    assert_eq!(decode(&SEAL_BYTES), Ok(seal()));
}

const DECL: describe::Decl = describe::Decl { go_name: "Größe", rust_path: "c::Größe", file: "a.rs", line: 3, doc: "One.\nTwo." };
const FIELDS: &[describe::Member] = &[
    describe::Member { go_name: "X", doc: "X is first.", offset: 0, ty: U8 },
    describe::Member { go_name: "Key", doc: "", offset: 1, ty: KEY },
];
const CASES: &[describe::Variant] = &[
    describe::Variant { go_name: "GrößeKlein", name: "Klein", doc: "Small.", value: 0, fields: &[] },
    describe::Variant { go_name: "GrößeGroß", name: "Groß", doc: "", value: u64::MAX, fields: FIELDS },
];

const METHODS: &[describe::Method] = &[
    describe::Method {
        go_name: "Load",
        name: "load",
        doc: "Load loads.",
        names: "name\nlimit",
        params: &[describe::Type::Text { freed: false }, U8],
        results: &[U8],
    },
    describe::Method { go_name: "Close", name: "close_it", doc: "", names: "", params: &[], results: &[describe::Type::Failure {}] },
];

fn methods() -> Vec<Method> {
    let method = |go_name: &str, name: &str, doc: &str, names: &str, params, results| Method {
        go_name: go_name.into(),
        name: name.into(),
        doc: doc.into(),
        names: names.into(),
        params,
        results,
    };
    let byte = || Type::Basic(Basic::Uint8);
    vec![
        method("Load", "load", "Load loads.", "name\nlimit", vec![Type::Text { freed: false }, byte()], vec![byte()]),
        method("Close", "close_it", "", "", Vec::new(), vec![Type::Failure {}]),
    ]
}

fn decl() -> Decl {
    Decl { go_name: "Größe".into(), rust_path: "c::Größe".into(), file: "a.rs".into(), line: 3, doc: "One.\nTwo.".into() }
}

/// Each composite type, in the form that the macro writes and in the form that the decoder must return.
fn composite() -> Vec<(describe::Type, Type)> {
    use describe::Type as T;
    let byte = || Box::new(Type::Basic(Basic::Uint8));
    let fields = || {
        let key = Type::Array { len: 32, elem: byte() };
        vec![
            Member { go_name: "X".into(), doc: "X is first.".into(), offset: 0, ty: *byte() },
            Member { go_name: "Key".into(), doc: String::new(), offset: 1, ty: key },
        ]
    };
    let cases = || {
        let case = |go_name: &str, name: &str, doc: &str, value, fields| Variant {
            go_name: go_name.into(),
            name: name.into(),
            doc: doc.into(),
            value,
            fields,
        };
        vec![case("GrößeKlein", "Klein", "Small.", 0, Vec::new()), case("GrößeGroß", "Groß", "", u64::MAX, fields())]
    };
    vec![
        (T::Array { len: 7, elem: &U8 }, Type::Array { len: 7, elem: byte() }),
        (T::Pointer { mutable: true, elem: &U8 }, Type::Pointer { mutable: true, elem: byte() }),
        (
            T::Slice { mutable: true, elem: &T::Handle { of: "T" } },
            Type::Slice { mutable: true, elem: Box::new(Type::Handle { of: "T".into() }) },
        ),
        (T::Handle { of: "" }, Type::Handle { of: String::new() }),
        (T::Handle { of: "*net/http.Größe" }, Type::Handle { of: "*net/http.Größe".into() }),
        (T::Struct { decl: DECL, size: 33, align: 1, fields: FIELDS }, Type::Struct { decl: decl(), size: 33, align: 1, fields: fields() }),
        (T::Enum { decl: DECL, base: &U8, variants: CASES }, Type::Enum { decl: decl(), base: byte(), variants: cases() }),
        (
            T::Object { decl: DECL, words: 3, flags: 5, implements: "hash.Hash\nio.Writer" },
            Type::Object { decl: decl(), words: 3, flags: 5, implements: "hash.Hash\nio.Writer".into() },
        ),
        (T::Text { freed: true }, Type::Text { freed: true }),
        (T::List { freed: false, elem: &T::Text { freed: true } }, Type::List { freed: false, elem: Box::new(Type::Text { freed: true }) }),
        (T::Failure {}, Type::Failure {}),
        (
            T::Error { decl: DECL, single: false, size: 72, cases: CASES },
            Type::Error { decl: decl(), single: false, size: 72, cases: cases() },
        ),
        (T::Append { elem: &U8 }, Type::Append { elem: byte() }),
        (T::Iterator { items: &[U8, T::Failure {}] }, Type::Iterator { items: vec![*byte(), Type::Failure {}] }),
        (T::Address {}, Type::Address {}),
        (
            T::Func { kept: true, params: &[U8, T::Text { freed: true }], results: &[U8] },
            Type::Func { kept: true, params: vec![*byte(), Type::Text { freed: true }], results: vec![*byte()] },
        ),
        (T::Interface { kept: false, name: "io.Reader" }, Type::Interface { kept: false, name: "io.Reader".into() }),
        (T::Trait { decl: DECL, kept: true, methods: METHODS }, Type::Trait { decl: decl(), kept: true, methods: methods() }),
    ]
}

#[test]
fn every_type_comes_back() {
    let basic = Basic::ALL.iter().map(|&basic| (describe::Type::Basic(basic), Type::Basic(basic)));
    for (described, owned) in basic.chain(composite()) {
        let params: &'static [describe::Field] = Box::leak(Box::new([describe::Field { name: "x", ty: described, offset: 3 }]));
        let function = describe::Function { params, ..NOTHING };
        let bytes: [u8; 512] = Describe::Function(&function).encode();
        let export = decode(&bytes[..Describe::Function(&function).encoded_len()]).unwrap();
        assert_eq!(export.params[0].ty.layout(), described.layout(), "{owned:?}");
        assert_eq!(export.params, [Field { name: "x".into(), ty: owned, offset: 3 }]);
    }
}

#[test]
fn layouts_are_those_of_memory() {
    let layouts: Vec<(u64, u64)> = composite().iter().map(|(_, ty)| (ty.layout().size, ty.layout().align)).collect();
    let expected = [
        (7, 1), // array
        (8, 8),
        (24, 8),
        (8, 8),
        (8, 8),
        (33, 1), // struct
        (1, 1),
        (24, 8), // object
        (24, 8),
        (16, 8), // list
        (24, 8),
        (72, 8), // error
        (8, 8),
        (8, 8),
        (8, 8),
        (8, 8), // func
        (8, 8), // interface
        (8, 8), // trait
    ];
    assert_eq!(layouts, expected);
    let number = Type::Error { decl: decl(), single: false, size: 4, cases: Vec::new() };
    assert_eq!((number.layout().size, number.layout().align), (4, 4));
    let object = Type::Object { decl: decl(), words: 0, flags: 0, implements: String::new() };
    assert_eq!(object.layout().size, 8);
}

/// Decodes a record of the given kind.
fn decode_kind(kind: u32, payload: &[u8]) -> Result<Record, Error> {
    RawRecord { address_offset: 0, kind, payload }.decode()
}

#[test]
fn a_constant_comes_back() {
    const LIMIT: describe::Constant = describe::Constant {
        go_name: "Limit",
        rust_path: "c::LIMIT",
        file: "a.rs",
        line: 4,
        doc: "Limit limits.",
        ty: describe::Type::Basic(Basic::Uint16),
        value: &[1, 2],
        variable: true,
    };
    const BYTES: [u8; Describe::Constant(&LIMIT).encoded_len()] = Describe::Constant(&LIMIT).encode();
    let limit = Constant {
        go_name: "Limit".into(),
        rust_path: "c::LIMIT".into(),
        file: "a.rs".into(),
        line: 4,
        doc: "Limit limits.".into(),
        ty: Type::Basic(Basic::Uint16),
        value: vec![1, 2],
        variable: true,
    };
    assert_eq!(decode_kind(record::CONSTANT, &BYTES), Ok(Record::Constant(limit)));
    for len in 0..BYTES.len() {
        assert!(decode_kind(record::CONSTANT, &BYTES[..len]).is_err(), "{len} bytes");
    }
    assert_eq!(decode_kind(record::CONSTANT, &payload(VERSION, &[])), Err(Error::Missing { what: "Go name" }));
}

#[test]
fn nothing_comes_back() {
    const BYTES: [u8; Describe::Nothing.encoded_len()] = Describe::Nothing.encode();
    assert_eq!(decode_kind(record::NOTHING, &BYTES), Ok(Record::Nothing));
    assert_eq!(decode_kind(record::NOTHING, &by_hand()), Err(Error::Invalid { what: "fields of nothing" }));
}

#[test]
fn a_role_that_nobody_knows_is_refused() {
    let mut fields = by_hand()[12..].to_vec();
    fields.extend([13, 0, 4, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(decode(&payload(VERSION, &fields)), Err(Error::Invalid { what: "a role that this rustgo does not know" }));
}

#[test]
fn the_format_is_the_documented_one() {
    const BYTES: [u8; Describe::Function(&NOTHING).encoded_len()] = Describe::Function(&NOTHING).encode();
    assert_eq!(BYTES.as_slice(), by_hand());
}

#[test]
fn room_left_over_is_zero() {
    const BYTES: [u8; Describe::Function(&NOTHING).padded_len()] = Describe::Function(&NOTHING).encode();
    assert_eq!(BYTES.len() % 8, 0);
    assert!(BYTES[Describe::Function(&NOTHING).encoded_len()..].iter().all(|&byte| byte == 0));
}

#[test]
#[should_panic = "there are none"]
fn blocking_over_without_bytes_is_an_error() {
    let _: [u8; 256] = Describe::Function(&describe::Function { blocking: Some(1), ..NOTHING }).encode();
}

#[test]
#[should_panic = "the payload is longer than the room for it"]
fn too_little_room_is_an_error() {
    let _: [u8; 12] = Describe::Function(&NOTHING).encode();
}

#[test]
fn optional_unknown_field_is_skipped() {
    let mut fields = by_hand()[12..].to_vec();
    fields.extend([0x77, 0x80, 3, 0, 0, 0, 1, 2, 3]);
    assert!(decode(&payload(VERSION, &fields)).is_ok());

    let mut fields = by_hand()[12..].to_vec();
    fields.extend([0x77, 0x00, 0, 0, 0, 0]);
    assert_eq!(decode(&payload(VERSION, &fields)), Err(Error::Tag { what: "an export", tag: 0x77 }));
}

#[test]
fn other_format_versions_are_refused() {
    let newer = decode(&payload(9, b"anything")).unwrap_err();
    assert_eq!(newer, Error::Version { found: 9 });
    assert_eq!(
        newer.to_string(),
        "the crate's rustgo-support describes its exports in format version 9, this rustgo reads version 1; \
         install the rustgo of the same release as the crate's rustgo-support"
    );
    assert_eq!(
        Error::Version { found: 0 }.to_string(),
        "the crate's rustgo-support describes its exports in format version 0, this rustgo reads version 1; \
         raise the crate's rustgo-support to the release of this rustgo"
    );
}

#[test]
fn damage_is_named() {
    assert_eq!(decode(b"ELF.........."), Err(Error::Magic));
    assert_eq!(decode(b"rs"), Err(Error::Truncated { what: "the header" }));
    assert_eq!(decode(&payload(VERSION, &[])), Err(Error::Missing { what: "Go name" }));
    let mut fields = by_hand()[12..].to_vec();
    fields.extend([1, 0, 1, 0, 0, 0, b'X']);
    assert_eq!(decode(&payload(VERSION, &fields)), Err(Error::Invalid { what: "a field that stands there twice" }));
    let mut long = by_hand();
    long.push(0);
    assert_eq!(decode(&long), Err(Error::Invalid { what: "bytes after the last field" }));
}

#[test]
fn every_truncation_is_refused() {
    for len in 0..SEAL_BYTES.len() {
        assert!(decode(&SEAL_BYTES[..len]).is_err(), "{len} bytes");
    }
}

#[test]
fn no_flipped_bit_makes_it_panic() {
    let mut bytes = SEAL_BYTES;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            let _ = decode(&bytes);
            let _ = records(&bytes).count();
            bytes[at] ^= 1 << bit;
        }
    }
    assert_eq!(decode(&bytes), Ok(seal()));
}

#[test]
fn a_type_nested_without_end_is_refused() {
    let mut ty = vec![18, 0];
    for _ in 0..100_000 {
        ty.extend([18, 0]);
    }
    let mut param = vec![3, 0];
    param.extend((ty.len() as u32).to_le_bytes());
    param.extend(&ty);
    let mut fields = vec![7, 0];
    fields.extend((param.len() as u32).to_le_bytes());
    fields.extend(&param);
    assert_eq!(decode(&payload(VERSION, &fields)), Err(Error::Invalid { what: "a type that is nested too deeply" }));
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let mut framed = vec![0; 8];
    framed.extend((payload.len() as u32).to_le_bytes());
    framed.extend(record::FUNCTION.to_le_bytes());
    framed.extend(payload);
    framed.resize(framed.len().next_multiple_of(8), 0);
    framed
}

#[test]
fn records_follow_one_another() {
    let first = framed(&SEAL_BYTES);
    let mut section = first.clone();
    section.extend(framed(&by_hand()));
    let found: Vec<_> = records(&section).collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].address_offset, found[0].payload), (0, SEAL_BYTES.as_slice()));
    assert_eq!((found[1].address_offset, found[1].payload), (first.len(), by_hand().as_slice()));
}

#[test]
fn a_record_of_an_unknown_kind_is_refused() {
    let payload = by_hand();
    let error = RawRecord { address_offset: 0, kind: 7, payload: &payload }.decode().unwrap_err();
    assert_eq!(error, Error::Kind { kind: 7 });
    assert_eq!(error.to_string(), "a record is of kind 7, which this rustgo does not know");
    // The kinds of records may have other meanings in another version.
    let newer = [&b"rsgo"[..], &[9, 0], &payload[6..]].concat();
    assert_eq!(RawRecord { address_offset: 0, kind: 7, payload: &newer }.decode(), Err(Error::Version { found: 9 }));
    // After this record, reading continues with the next record of the section.
    let mut section = framed(&payload);
    section[12] = 7;
    section.extend(framed(&payload));
    let kinds: Vec<u32> = records(&section).map(|record| record.unwrap().kind).collect();
    assert_eq!(kinds, [7, record::FUNCTION]);
}

#[test]
fn a_damaged_section_is_refused_once() {
    let section = framed(&SEAL_BYTES);
    for len in 1..section.len() {
        let found: Vec<_> = records(&section[..len]).collect();
        assert_eq!(found.len(), 1, "{len} bytes");
        assert!(found[0].is_err(), "{len} bytes");
    }
    assert_eq!(records(&[]).count(), 0);
}
