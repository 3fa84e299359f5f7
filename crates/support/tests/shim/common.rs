//! Stands in for Go: finds the export records, lays out argument and result areas, and calls the shims.

use rustgo_schema::{Constant, Field, Function, Record, Type, records, role};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// An exported function in the form in which Go calls it.
pub struct Shim {
    pub export: Function,
    call: unsafe extern "C-unwind" fn(*const u8, *mut u8),
}

fn section() -> &'static [u8] {
    unsafe extern "C" {
        // The linker defines this symbol for a section whose name is an identifier.
        static __start_rustgo_exports: u8;
        static __stop_rustgo_exports: u8;
    }
    unsafe {
        let (start, stop) = (&raw const __start_rustgo_exports, &raw const __stop_rustgo_exports);
        std::slice::from_raw_parts(start, stop.addr() - start.addr())
    }
}

pub fn exports() -> Vec<Shim> {
    let section = section();
    let functions = records(section).filter_map(|record| {
        let record = record.unwrap();
        let Record::Function(export) = record.decode().unwrap() else { return None };
        let pointer: [u8; 8] = section[record.address_offset..][..8].try_into().unwrap();
        let call = unsafe { std::mem::transmute::<usize, unsafe extern "C-unwind" fn(*const u8, *mut u8)>(usize::from_ne_bytes(pointer)) };
        Some(Shim { export, call })
    });
    functions.collect()
}

/// Returns the exported function with this name in Go.
pub fn find(go_name: &str) -> Shim {
    let named = |shim: &Shim| shim.export.go_name == go_name && matches!(shim.export.role, role::FUNCTION | role::RELEASE);
    exports().into_iter().find(named).unwrap_or_else(|| panic!("no export {go_name}"))
}

/// Returns the function with this role that belongs to the named function or type.
pub fn beside(go_name: &str, role: u32) -> Shim {
    let named =
        |shim: &Shim| shim.export.role == role && (shim.export.go_name == go_name || shim.export.owner.ends_with(&format!("::{go_name}")));
    exports().into_iter().find(named).unwrap_or_else(|| panic!("nothing beside {go_name}"))
}

pub fn method(owner: &str, go_name: &str) -> Shim {
    let named = |shim: &Shim| {
        shim.export.role == role::METHOD && shim.export.go_name == go_name && shim.export.owner.ends_with(&format!("::{owner}"))
    };
    exports().into_iter().find(named).unwrap_or_else(|| panic!("no method {go_name}"))
}

pub fn constant(go_name: &str) -> Constant {
    let constants = records(section()).filter_map(|record| match record.unwrap().decode().unwrap() {
        Record::Constant(constant) => Some(constant),
        _ => None,
    });
    constants.into_iter().find(|constant| constant.go_name == go_name).unwrap_or_else(|| panic!("no constant {go_name}"))
}

/// The argument and result areas of a Go call, laid out as the export record says. The areas consist of words so that they are aligned.
pub struct Frame(pub Vec<u64>);

impl Frame {
    pub fn of(export: &Function) -> Self {
        // The fill pattern shows results that were not written.
        Self(vec![0xa5a5_a5a5_a5a5_a5a5; export.results_offset.max(export.frame_size).div_ceil(8) as usize + 1])
    }

    pub fn put(&mut self, offset: u32, bytes: &[u8]) -> &mut Self {
        let start = unsafe { self.0.as_mut_ptr().cast::<u8>().add(offset as usize) };
        unsafe { start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self
    }

    pub fn word(&mut self, offset: u32, word: usize) -> &mut Self {
        self.put(offset, &word.to_ne_bytes())
    }

    /// Stores a slice header, with a capacity that Rust must not use.
    pub fn slice<T>(&mut self, offset: u32, slice: *const [T]) -> &mut Self {
        self.word(offset, slice.cast::<u8>().addr()).word(offset + 8, slice.len()).word(offset + 16, usize::MAX)
    }

    /// Stores a string header.
    pub fn text(&mut self, offset: u32, text: &[u8]) -> &mut Self {
        self.word(offset, text.as_ptr().addr()).word(offset + 8, text.len())
    }

    /// Stores an address.
    pub fn pointer<T>(&mut self, offset: u32, to: *const T) -> &mut Self {
        self.word(offset, to.addr())
    }

    /// Reads a value.
    pub fn get<T: Copy>(&self, offset: u32) -> T {
        assert!(offset as usize + size_of::<T>() <= self.bytes().len());
        unsafe { self.bytes().as_ptr().add(offset as usize).cast::<T>().read_unaligned() }
    }

    /// Reads a text that Go copies and frees.
    pub fn owned_text(&self, offset: u32) -> String {
        String::from_utf8(self.owned(offset)).unwrap()
    }

    /// Reads a list that Go copies and frees.
    pub fn owned<T: Copy>(&self, offset: u32) -> Vec<T> {
        owned(self.get(offset))
    }

    /// Reads a text that Go copies.
    pub fn shared_text(&self, offset: u32) -> String {
        String::from_utf8(self.shared(offset)).unwrap()
    }

    /// Reads a list that Go copies or uses in place.
    pub fn shared<T: Copy>(&self, offset: u32) -> Vec<T> {
        shared(self.get(offset))
    }

    /// Reads the texts of an error and its sources. The result is empty if there is no error.
    pub fn failure(&self, offset: u32) -> Vec<String> {
        let bytes: Vec<u8> = self.owned(offset);
        let (mut rest, mut texts) = (bytes.as_slice(), Vec::new());
        while let Some((len, more)) = rest.split_first_chunk::<4>() {
            let (text, more) = more.split_at(u32::from_le_bytes(*len) as usize);
            texts.push(String::from_utf8(text.to_vec()).unwrap());
            rest = more;
        }
        texts
    }

    pub fn bytes(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * 8) }
    }

    pub fn call(&mut self, shim: &Shim) {
        let start = self.0.as_mut_ptr().cast::<u8>();
        unsafe { (shim.call)(start, start.add(shim.export.results_offset as usize)) };
    }

    /// Calls a shim, and returns the message if the shim panics.
    pub fn try_call(&mut self, shim: &Shim) -> Result<(), String> {
        catch_unwind(AssertUnwindSafe(|| self.call(shim))).map_err(|panic| match panic.downcast::<String>() {
            Ok(formatted) => *formatted,
            Err(panic) => panic.downcast_ref::<&str>().unwrap().to_string(),
        })
    }
}

thread_local! {
    static PLACE: RefCell<(String, u32)> = RefCell::default();
}

/// Returns the file and line that the panic of a call reports.
pub fn place_of(call: impl FnOnce() -> Result<(), String>) -> (String, u32) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let place = info.location().map(|place| (place.file().to_owned(), place.line())).unwrap_or_default();
            PLACE.set(place);
            before(info);
        }));
    });
    assert!(call().is_err());
    PLACE.take()
}

pub fn field(name: &str, ty: Type, offset: u32) -> Field {
    Field { name: name.into(), ty, offset }
}

pub fn array(len: u64, elem: Type) -> Box<Type> {
    Box::new(Type::Array { len, elem: Box::new(elem) })
}

/// Copies and frees memory that Rust gave to Go.
pub fn owned<T: Copy>([at, len, cap]: [usize; 3]) -> Vec<T> {
    assert_eq!(at == 0, cap == 0, "what is there has to be freed, and nothing else");
    let copy = shared([at, len]);
    if cap != 0 {
        let mut frame = Frame(vec![0; 4]);
        frame.word(0, at).word(8, cap * size_of::<T>()).word(16, align_of::<T>()).call(&find("rust_release"));
    }
    copy
}

pub fn shared<T: Copy>([at, len]: [usize; 2]) -> Vec<T> {
    assert!(len == 0 || at != 0);
    let at = std::ptr::with_exposed_provenance::<T>(at);
    if len == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(at, len) }.to_vec() }
}

/// The struct to which a Go pointer to an object in the Rust heap points. The Go structs for uses of the object begin with the same fields.
#[repr(C)]
pub struct Object {
    pub inner: *mut Inner,
    /// Rust sets this field when a call begins that only reads the value, after it has checked all arguments.
    pub begun: u32,
}

#[repr(C)]
pub struct Inner {
    pub value: usize,
    /// Rust sets this field when a call begins that may change the value, after it has checked all arguments.
    pub entered: u32,
}

impl Object {
    pub fn new(value: usize) -> Self {
        assert_ne!(value, 0);
        Self { inner: Box::into_raw(Box::new(Inner { value, entered: 0 })), begun: 0 }
    }

    /// Drops the value as Go does, by the drop function of the object's type.
    pub fn end(self, name: &str) {
        let value = unsafe { Box::from_raw(self.inner) }.value;
        if value != 0 {
            Frame(vec![0; 2]).word(0, value).call(&beside(name, role::DROP));
        }
    }
}
