//! Lays out thread-local variables as data, with the cells that code passes to `__tls_get_addr`.
//!
//! Code gets a variable's address from `__tls_get_addr`; the argument is a cell that selects the variable. In an ELF
//! program the cell has a module number and an offset in the module's block, filled in when the program starts. Here a
//! package is a module: the cell has the address of the package's [descriptor](Image) and the offset, and the function
//! is an [exit](crate::exits::Exit::ThreadLocal). `rt` has a block for each package and thread, created as a copy of
//! the package's image when the thread first accesses it.

use super::symbols::MemberId;
use super::{Data, DataBounds, Reloc, RelocKind, Target};
use crate::ids::DataId;
use cranelift_entity::PrimaryMap;
use object::SectionIndex;
use std::collections::{BTreeMap, HashMap};

/// The descriptor's words, as `crates/rt` reads them: address of the image, its size and alignment in bytes, and the
/// number that `rt` assigns to the package on first use.
const DESCRIPTOR_SIZE: usize = 32;
const SIZE_AT: usize = 8;
const ALIGN_AT: usize = 16;
/// A cell: the address of the descriptor, and the variable's offset in the block in bytes.
const CELL_SIZE: usize = 16;

/// The thread-local variables that the exports reach.
#[derive(Debug, Default)]
pub(super) struct Image {
    /// The image and its descriptor, once there is a variable.
    data: Option<(DataId, DataId)>,
    /// By section: its start in the image.
    sections: HashMap<(MemberId, SectionIndex), u64>,
    /// By offset in the block.
    cells: BTreeMap<u64, DataId>,
    size: u64,
    align: u64,
}

impl Image {
    /// The section's start in the image, if it has been added.
    pub fn place(&self, member: MemberId, section: SectionIndex) -> Option<u64> {
        self.sections.get(&(member, section)).copied()
    }

    /// Adds a section; returns its start in the image.
    pub fn take(&mut self, data: &mut PrimaryMap<DataId, Data>, at: (MemberId, SectionIndex), size: u64, align: u64) -> u64 {
        self.ids(data);
        let start = self.size.next_multiple_of(align.max(1));
        (self.size, self.align) = (start + size, self.align.max(align));
        self.sections.insert(at, start);
        start
    }

    /// The cell for an offset in the block.
    pub fn cell(&mut self, data: &mut PrimaryMap<DataId, Data>, place: u64) -> DataId {
        let (_, descriptor) = self.ids(data);
        *self.cells.entry(place).or_insert_with(|| {
            let mut bytes = vec![0; CELL_SIZE];
            bytes[8..].copy_from_slice(&place.to_le_bytes());
            data.push(constant(format!("thread-local variable at {place}"), bytes, false, vec![pointer(descriptor)]))
        })
    }

    /// Writes the content of a section that begins at `start`.
    pub fn fill(&mut self, data: &mut PrimaryMap<DataId, Data>, start: u64, bytes: &[u8], relocs: impl IntoIterator<Item = Reloc>) {
        let (image, _) = self.ids(data);
        let image = &mut data[image];
        let end = start as usize + bytes.len();
        image.bytes.resize(image.bytes.len().max(end), 0);
        image.bytes[start as usize..end].copy_from_slice(bytes);
        image.relocs.extend(relocs.into_iter().map(|reloc| Reloc { offset: reloc.offset + start as u32, ..reloc }));
    }

    /// Completes the image and the descriptor.
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

/// The address of `to`, in the first word.
fn pointer(to: DataId) -> Reloc {
    Reloc { offset: 0, kind: RelocKind::Abs64, target: Target::Data(to), addend: 0 }
}
