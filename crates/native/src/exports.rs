//! What the crate exports, found in its records.

use rustgo_schema::{Constant, Function, Record, Type, records, role};

/// Takes the addresses of the argument and the result area.
pub type Shim = unsafe extern "C-unwind" fn(*const u8, *mut u8);

/// A function and its shim.
pub struct Export {
    pub function: Function,
    pub shim: Shim,
    /// As Go code names it: `Sum`, `Queue.Push`.
    pub name: String,
}

/// All that the crate exports.
pub struct Exports {
    pub all: Vec<Export>,
    pub constants: Vec<Constant>,
}

unsafe extern "C" {
    // Supplied by the linker for a section whose name is an identifier.
    static __start_rustgo_exports: u8;
    static __stop_rustgo_exports: u8;
}

impl Exports {
    /// Those of this program.
    ///
    /// # Errors
    /// If a record is of another version or damaged.
    pub fn find() -> Result<Self, String> {
        // SAFETY: the linker's symbols are the ends of the section, whose records are constants.
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
                    // SAFETY: the record of a function holds the address of its shim.
                    let shim = unsafe { std::mem::transmute::<usize, Shim>(address) };
                    functions.push((function, shim));
                }
                Record::Constant(constant) => constants.push(constant),
                Record::Routine(_) | Record::Nothing => {}
            }
        }
        let mut all: Vec<Export> =
            functions.into_iter().map(|(function, shim)| Export { name: shown(&function), function, shim }).collect();
        // A method that the type has by itself gives way to one of the author's.
        let of_author: Vec<String> =
            all.iter().filter(|export| is_called(export) && !is_by_itself(export)).map(|export| export.name.clone()).collect();
        all.retain(|export| !is_called(export) || !is_by_itself(export) || !of_author.contains(&export.name));
        Ok(Self { all, constants })
    }

    /// The export that does this for a type: for that of a function of this name, if one is given.
    pub fn of_role(&self, role: u32, owner: &str, go_name: Option<&str>) -> Option<&Export> {
        self.all.iter().find(|export| {
            let function = &export.function;
            function.role == role && function.owner == owner && go_name.is_none_or(|name| function.go_name == name)
        })
    }
}

/// Does Go code call it?
pub fn is_called(export: &Export) -> bool {
    matches!(export.function.role, role::FUNCTION | role::METHOD)
}

/// Clone or String, of which the author has written the trait alone.
fn is_by_itself(export: &Export) -> bool {
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
