//! Lays out thread-local variables as data, and makes the arguments that code passes to `__tls_get_addr`.
//!
//! Code calls `__tls_get_addr` to get a variable's address. The argument is the address of a cell, which selects the variable. In an ELF program the
//! cell (`tls_index`) consists of a module number and an offset in the module's block of variables. The dynamic linker fills in both. In generated
//! code each package is a module. The cell consists of the address of the package's [descriptor](Image) and the offset, and `__tls_get_addr` is an
//! [exit](crate::exits::Exit::ThreadLocal) to the Go package `rt`. For each package and thread, `rt` has a block of variables. `rt` makes the block
//! when the thread first accesses it, as a copy of the package's image (the initial content of the variables).

use super::symbols::MemberId;
use super::{Data, DataBounds, Reloc, RelocKind, Target};
use crate::ids::DataId;
use cranelift_entity::PrimaryMap;
use object::SectionIndex;
use std::collections::{BTreeMap, HashMap};

/// Size of a package's descriptor in bytes. `crates/rt` reads its words: the address of the image (the variables' initial content), the image's
/// size and alignment in bytes, and the number that `rt` assigns to the package on first use.
const DESCRIPTOR_SIZE: usize = 32;
const SIZE_AT: usize = 8;
const ALIGN_AT: usize = 16;
/// Size of a cell in bytes. A cell consists of the address of the descriptor and the variable's offset in the block of variables.
const CELL_SIZE: usize = 16;

/// The thread-local variables that the exports reach, with their initial content.
#[derive(Debug, Default)]
pub(super) struct Image {
    /// The data of the image, and the data of its descriptor. Set as soon as there is a thread-local variable.
    data: Option<(DataId, DataId)>,
    /// For each section of variables, the offset of its first byte in the image.
    sections: HashMap<(MemberId, SectionIndex), u64>,
    /// For each used offset in the block of variables, the cell that selects this offset.
    cells: BTreeMap<u64, DataId>,
    size: u64,
    align: u64,
}

impl Image {
    /// The offset of the section's first byte in the image, if the section has been added.
    pub fn place(&self, member: MemberId, section: SectionIndex) -> Option<u64> {
        self.sections.get(&(member, section)).copied()
    }

    /// Adds a section, and returns the offset of its first byte in the image.
    pub fn take(&mut self, data: &mut PrimaryMap<DataId, Data>, at: (MemberId, SectionIndex), size: u64, align: u64) -> u64 {
        self.ids(data);
        let start = self.size.next_multiple_of(align.max(1));
        (self.size, self.align) = (start + size, self.align.max(align));
        self.sections.insert(at, start);
        start
    }

    /// Returns the cell that selects an offset in the block of variables. Makes the cell if it does not exist.
    pub fn cell(&mut self, data: &mut PrimaryMap<DataId, Data>, place: u64) -> DataId {
        let (_, descriptor) = self.ids(data);
        *self.cells.entry(place).or_insert_with(|| {
            let mut bytes = vec![0; CELL_SIZE];
            bytes[8..].copy_from_slice(&place.to_le_bytes());
            data.push(constant(format!("thread-local variable at {place}"), bytes, false, vec![pointer(descriptor)]))
        })
    }

    /// Copies the content of a section into the image, at the offset `start`.
    pub fn fill(&mut self, data: &mut PrimaryMap<DataId, Data>, start: u64, bytes: &[u8], relocs: impl IntoIterator<Item = Reloc>) {
        let (image, _) = self.ids(data);
        let image = &mut data[image];
        let end = start as usize + bytes.len();
        image.bytes.resize(image.bytes.len().max(end), 0);
        image.bytes[start as usize..end].copy_from_slice(bytes);
        image.relocs.extend(relocs.into_iter().map(|reloc| Reloc { offset: reloc.offset + start as u32, ..reloc }));
    }

    /// Completes the image and the descriptor. Every section must have been added before.
    pub fn finish(&self, data: &mut PrimaryMap<DataId, Data>) {
        let Some((image, descriptor)) = self.data else { return };
        data[image].bytes.resize(self.size as usize, 0);
        data[image].relocs.sort_by_key(|reloc| reloc.offset);
        data[descriptor].bytes[SIZE_AT..][..8].copy_from_slice(&self.size.to_le_bytes());
        data[descriptor].bytes[ALIGN_AT..][..8].copy_from_slice(&self.align.to_le_bytes());
    }

    fn ids(&mut self, data: &mut PrimaryMap<DataId, Data>) -> (DataId, DataId) {
        *self.data.get_or_insert_with(|| {
            let image = data.push(constant("thread-local image".to_owned(), Vec::new(), false, Vec::new()));
            let descriptor = constant("thread-local descriptor".to_owned(), vec![0; DESCRIPTOR_SIZE], true, vec![pointer(image)]);
            (image, data.push(descriptor))
        })
    }
}

fn constant(name: String, bytes: Vec<u8>, writable: bool, relocs: Vec<Reloc>) -> Data {
    Data { name, member: String::new(), bytes, align: 8, writable, mergeable: false, relocs, bounds: DataBounds::default() }
}

/// A relocation that stores the address of `to` in the first word.
fn pointer(to: DataId) -> Reloc {
    Reloc { offset: 0, kind: RelocKind::Abs64, target: Target::Data(to), addend: 0 }
}
