//! Builds the arguments of a call in memory, in the layout that Go gives them. The values come from a question, the Go test's request to this
//! program.

use crate::objects::{Object, parameter};
use crate::protocol::{Reader, Result, place};
use rustgo_schema::{Basic, Field, Type};
use std::collections::BTreeMap;

/// The memory to which the arguments of one call refer.
#[derive(Default)]
pub struct Memory {
    blocks: Vec<Box<[u64]>>,
    /// Objects made for this call in the state of Go's zero value. They are not among the numbered objects of the session.
    zeros: Vec<Object>,
    /// The numbers of the objects that were passed to the call.
    pub objects: Vec<u32>,
    /// The numbers of the objects whose values the call consumes. `objects` contains these numbers too.
    pub consumed: Vec<u32>,
}

/// The header of a Go slice: address, length, capacity.
type Slice = [usize; 3];

impl Memory {
    /// Allocates a block of zeros. The block lives as long as `self`.
    fn block(&mut self, bytes: usize) -> *mut u8 {
        // An empty block needs an address too, so each block has at least one word.
        self.blocks.push(vec![0; bytes.div_ceil(8).max(1)].into());
        self.blocks.last_mut().map_or(std::ptr::null_mut(), |block| block.as_mut_ptr().cast())
    }

    /// Reads the arguments of all parameters from the question and writes them to the argument area.
    ///
    /// # Safety
    /// `args` must point to an area that has the layout of the parameters.
    pub unsafe fn arguments(
        &mut self,
        params: &[Field],
        from: &mut Reader<'_>,
        args: *mut u8,
        objects: &mut BTreeMap<u32, Object>,
    ) -> Result<()> {
        // Arguments that refer to the memory of another argument. They are written last, because the other argument must be there first.
        let mut shared = Vec::new();
        for field in params {
            // SAFETY: the caller promises that the area has the layout of the parameters.
            let at = unsafe { args.add(field.offset as usize) };
            if let Some((_, words, taken)) = parameter(&field.ty) {
                let address = self.object(words, taken, from, objects)?;
                // SAFETY: the caller promises that the area has room for this argument.
                unsafe { at.cast::<*mut u8>().write_unaligned(address) };
                continue;
            }
            match &field.ty {
                Type::Pointer { elem, .. } => {
                    let address = match from.u8()? {
                        place::NIL => std::ptr::null_mut(),
                        place::FRESH => {
                            let block = self.block(elem.layout().size as usize);
                            // SAFETY: the block has the size of the value that is written to it.
                            unsafe { self.value(elem, from, block)? };
                            block
                        }
                        place::SHARED => {
                            let (other, index) = (from.u8()?, from.u32()?);
                            shared.push((at, usize::from(other), index as usize * elem.layout().size as usize, None));
                            continue;
                        }
                        other => return Err(format!("{other} is no place of a pointer")),
                    };
                    // SAFETY: the caller promises that the area has room for this argument.
                    unsafe { at.cast::<*mut u8>().write_unaligned(address) };
                }
                Type::Slice { elem, .. } => {
                    let slice = match from.u8()? {
                        place::SHARED => {
                            let (other, start, len) = (from.u8()?, from.u32()?, from.u32()?);
                            shared.push((at, usize::from(other), start as usize * elem.layout().size as usize, Some(len as usize)));
                            continue;
                        }
                        how => self.slice(elem, how, from)?,
                    };
                    // SAFETY: the caller promises that the area has room for this argument.
                    unsafe { at.cast::<Slice>().write_unaligned(slice) };
                }
                Type::Append { elem } => {
                    let size = elem.layout().size as usize;
                    // The block has room for a slice header, and for the header of a list of elements that do not fit into the
                    // slice.
                    let append = self.block(48).cast::<usize>();
                    if from.u8()? == place::FRESH {
                        let mut slice = self.slice(elem, place::FRESH, from)?;
                        let spare = from.u32()? as usize;
                        let grown = self.block((slice[1] + spare) * size);
                        // SAFETY: `grown` has room for the elements, and `append` has room for both headers.
                        unsafe {
                            grown.copy_from_nonoverlapping(std::ptr::with_exposed_provenance(slice[0]), slice[1] * size);
                            slice[0] = grown.expose_provenance();
                            slice[2] = slice[1] + spare;
                            append.cast::<Slice>().write(slice);
                        }
                    }
                    // SAFETY: the caller promises that the area has room for this argument.
                    unsafe { at.cast::<*mut usize>().write_unaligned(append) };
                }
                // SAFETY: the caller promises that the area has room for this argument.
                ty => unsafe { self.value(ty, from, at)? },
            }
        }
        for (at, other, offset, len) in shared {
            let other = params.get(other).ok_or("a parameter shares memory of one that is not there")?;
            // SAFETY: the argument of a pointer or slice begins with an address. The Go test has checked that the shared part lies
            // within the memory of the other parameter.
            unsafe {
                let start = args.add(other.offset as usize).cast::<usize>().read_unaligned() + offset;
                match len {
                    None => at.cast::<usize>().write_unaligned(start),
                    Some(len) => at.cast::<Slice>().write_unaligned([start, len, len]),
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, words: u64, taken: bool, from: &mut Reader<'_>, objects: &mut BTreeMap<u32, Object>) -> Result<*mut u8> {
        Ok(match from.u8()? {
            place::NIL => std::ptr::null_mut(),
            place::OBJECT => {
                let number = from.u32()?;
                self.objects.push(number);
                if taken {
                    self.consumed.push(number);
                }
                objects.get_mut(&number).ok_or_else(|| format!("there is no object {number}"))?.address()
            }
            place::ZERO => {
                self.zeros.push(Object::zero(words));
                self.zeros.last_mut().map_or(std::ptr::null_mut(), Object::address)
            }
            other => return Err(format!("{other} is no place of an object")),
        })
    }

    fn slice(&mut self, elem: &Type, how: u8, from: &mut Reader<'_>) -> Result<Slice> {
        match how {
            place::NIL => return Ok([0, 0, 0]),
            place::FRESH => {}
            other => return Err(format!("{other} is no place of a slice")),
        }
        let (len, size) = (from.u32()? as usize, elem.layout().size as usize);
        let block = self.block(len * size);
        for index in 0..len {
            // SAFETY: the block has room for all elements.
            unsafe { self.value(elem, from, block.add(index * size))? };
        }
        Ok([block.expose_provenance(), len, len])
    }

    /// Reads a value of the type from the question and writes it to memory.
    ///
    /// # Safety
    /// `at` must point to room for a value of the type.
    unsafe fn value(&mut self, ty: &Type, from: &mut Reader<'_>, at: *mut u8) -> Result<()> {
        match ty {
            Type::Basic(Basic::String) => {
                let len = from.u32()? as usize;
                let bytes = from.take(len)?;
                let block = self.block(len);
                // SAFETY: the caller promises room for the string's two words. The block has room for the string's bytes.
                unsafe {
                    block.copy_from_nonoverlapping(bytes.as_ptr(), len);
                    at.cast::<[usize; 2]>().write_unaligned([block.expose_provenance(), len]);
                }
            }
            Type::Basic(_) | Type::Handle { .. } | Type::Enum { .. } => {
                let bytes = from.take(ty.layout().size as usize)?;
                // SAFETY: the caller promises room for a value of this type.
                unsafe { at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            }
            Type::Array { len, elem } => {
                let size = elem.layout().size as usize;
                for index in 0..*len as usize {
                    // SAFETY: the element is within the array.
                    unsafe { self.value(elem, from, at.add(index * size))? };
                }
            }
            Type::Struct { fields, .. } => {
                for field in fields.iter().filter(|field| field.ty.layout().size > 0) {
                    // SAFETY: the field is within the struct.
                    unsafe { self.value(&field.ty, from, at.add(field.offset as usize))? };
                }
            }
            Type::Slice { elem, .. } => {
                let how = from.u8()?;
                let slice = self.slice(elem, how, from)?;
                // SAFETY: the caller promises room for a value of this type.
                unsafe { at.cast::<Slice>().write_unaligned(slice) };
            }
            other => return Err(format!("{other:?} cannot be passed")),
        }
        Ok(())
    }
}
