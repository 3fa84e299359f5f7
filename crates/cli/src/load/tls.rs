//! Thread-local variables.
//!
//! Code asks `__tls_get_addr` for the address of one, and hands over a cell that says which: in a program of ELF the number of the module
//! and the variable's place in the module's block, filled in when the program starts. Here a package is a module. The cell holds the address
//! of the package's [descriptor](Image) and the place, and the function is a [way out](crate::exits::Exit::ThreadLocal): `rt` has a
//! block of each package for each thread, made as a copy of the package's image when the thread first asks for it.

use super::symbols::MemberId;
use super::{Anchors, Data, Reloc, RelocKind, Target};
use crate::ids::DataId;
use cranelift_entity::PrimaryMap;
use object::SectionIndex;
use std::collections::{BTreeMap, HashMap};

/// The descriptor's words, as `crates/rt` reads them: the address of the image, its size and alignment in bytes, and the number that `rt`
/// gives the package when it first meets it.
const DESCRIPTOR_SIZE: usize = 32;
const SIZE_AT: usize = 8;
const ALIGN_AT: usize = 16;
/// A cell's: the address of the descriptor, and the variable's place in the block in bytes.
const CELL_SIZE: usize = 16;

/// The thread-local variables of everything that is reached.
#[derive(Debug, Default)]
pub(super) struct Image {
    /// The image and its descriptor, from the first variable on.
    data: Option<(DataId, DataId)>,
    /// Where each section begins in the image.
    sections: HashMap<(MemberId, SectionIndex), u64>,
    /// By place in the block.
    cells: BTreeMap<u64, DataId>,
    size: u64,
    align: u64,
}

impl Image {
    /// Where the section begins in the image, if it has been taken.
    pub fn place(&self, member: MemberId, section: SectionIndex) -> Option<u64> {
        self.sections.get(&(member, section)).copied()
    }

    /// Takes a section.
    pub fn take(&mut self, data: &mut PrimaryMap<DataId, Data>, at: (MemberId, SectionIndex), size: u64, align: u64) -> u64 {
        self.ids(data);
        let start = self.size.next_multiple_of(align.max(1));
        (self.size, self.align) = (start + size, self.align.max(align));
        self.sections.insert(at, start);
        start
    }

    /// The cell for a place in the block.
    pub fn cell(&mut self, data: &mut PrimaryMap<DataId, Data>, place: u64) -> DataId {
        let (_, descriptor) = self.ids(data);
        *self.cells.entry(place).or_insert_with(|| {
            let mut bytes = vec![0; CELL_SIZE];
            bytes[8..].copy_from_slice(&place.to_le_bytes());
            data.push(constant(format!("thread-local variable at {place}"), bytes, false, vec![pointer(descriptor)]))
        })
    }

    /// Adds the content of a section, which begins at `start`.
    pub fn fill(&mut self, data: &mut PrimaryMap<DataId, Data>, start: u64, bytes: &[u8], relocs: impl IntoIterator<Item = Reloc>) {
        let (image, _) = self.ids(data);
        let image = &mut data[image];
        let end = start as usize + bytes.len();
        image.bytes.resize(image.bytes.len().max(end), 0);
        image.bytes[start as usize..end].copy_from_slice(bytes);
        image.relocs.extend(relocs.into_iter().map(|reloc| Reloc { offset: reloc.offset + start as u32, ..reloc }));
    }

    /// Nothing more is reached.
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
    Data { name, member: String::new(), bytes, align: 8, writable, mergeable: false, relocs, anchors: Anchors::default() }
}

/// An address in the first word.
fn pointer(to: DataId) -> Reloc {
    Reloc { offset: 0, kind: RelocKind::Abs64, target: Target::Data(to), addend: 0 }
}
