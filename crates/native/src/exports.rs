//! Finds the crate's exports through their records (descriptions) in the program.

use rustgo_schema::{Constant, Function, Record, Type, records, role};

/// A shim: the function that Go's assembly calls for an exported function. Its arguments are the addresses of the argument area and the result
/// area.
pub type Shim = unsafe extern "C-unwind" fn(*const u8, *mut u8);

/// An exported function and its shim.
pub struct Export {
    pub function: Function,
    pub shim: Shim,
    /// The function's name in Go: `Sum`. For a method, the type's name precedes it: `Queue.Push`.
    pub name: String,
}

/// All exports of the crate.
pub struct Exports {
    pub all: Vec<Export>,
    pub constants: Vec<Constant>,
}

unsafe extern "C" {
    // The linker defines the symbols `__start_…` and `__stop_…` for each section whose name is an identifier.
    static __start_rustgo_exports: u8;
    static __stop_rustgo_exports: u8;
}

impl Exports {
    /// Finds the exports of this program.
    ///
    /// # Errors
    /// If a record has another version of the format or is damaged.
    pub fn find() -> Result<Self, String> {
        // SAFETY: the linker's symbols are the start and the end of the section. Nothing writes to the section's records.
        let section = unsafe {
            let (start, stop) = (&raw const __start_rustgo_exports, &raw const __stop_rustgo_exports);
            std::slice::from_raw_parts(start, stop.addr() - start.addr())
        };
        let (mut functions, mut constants) = (Vec::new(), Vec::new());
        for record in records(section) {
            let record = record.map_err(|error| error.to_string())?;
            let address = &section[record.address_offset..][..8];
            match record.decode().map_err(|error| error.to_string())? {
                Record::Function(function) => {
                    let address = usize::from_ne_bytes(address.try_into().unwrap_or_default());
                    if address == 0 {
                        return Err(format!("{} has no shim", function.rust_path));
                    }
                    // SAFETY: the address in a function's record is the address of the function's shim.
                    let shim = unsafe { std::mem::transmute::<usize, Shim>(address) };
                    functions.push((function, shim));
                }
                Record::Constant(constant) => constants.push(constant),
                Record::Routine(_) | Record::Nothing => {}
            }
        }
        let mut all: Vec<Export> =
            functions.into_iter().map(|(function, shim)| Export { name: shown(&function), function, shim }).collect();
        // A method that the author has written replaces an added method (Clone or String) of the same name.
        let of_author: Vec<String> =
            all.iter().filter(|export| is_called(export) && !is_added(export)).map(|export| export.name.clone()).collect();
        all.retain(|export| !is_called(export) || !is_added(export) || !of_author.contains(&export.name));
        Ok(Self { all, constants })
    }

    /// Finds the function with this role for the type `owner`. If `go_name` is given, the function must have this Go name too.
    pub fn of_role(&self, role: u32, owner: &str, go_name: Option<&str>) -> Option<&Export> {
        self.all.iter().find(|export| {
            let function = &export.function;
            function.role == role && function.owner == owner && go_name.is_none_or(|name| function.go_name == name)
        })
    }
}

/// True if Go code calls the export directly.
pub fn is_called(export: &Export) -> bool {
    matches!(export.function.role, role::FUNCTION | role::METHOD)
}

/// True if `#[rustgo::object]` has added the function: a method Clone or String, because the type implements `Clone` or `Display`.
fn is_added(export: &Export) -> bool {
    export.function.rust_path.contains("::<")
}

fn shown(function: &Function) -> String {
    let receiver = match function.params.first().map(|field| &field.ty) {
        Some(Type::Pointer { elem, .. }) => elem.declared(),
        Some(ty) => ty.declared(),
        None => None,
    };
    match receiver.filter(|_| function.role == role::METHOD) {
        Some(decl) => format!("{}.{}", decl.go_name, function.go_name),
        None => function.go_name.clone(),
    }
}
