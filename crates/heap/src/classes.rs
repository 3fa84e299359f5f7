//! Size classes of small objects: multiples of 16 bytes up to 64 bytes, then four classes for each doubling, up to 32 KiB.
//!
//! Rounding up to a class wastes at most 20% of the memory of an object larger than 64 bytes, and 10% on average.

/// log2 of [`SLAB`].
pub(crate) const SLAB_SHIFT: u32 = 16;

/// The unit of the page map, of runs, and of memory returned to the system, in bytes. A multiple of every page size in use.
pub(crate) const SLAB: usize = 1 << SLAB_SHIFT;

/// The size of the largest small object, in bytes. Two such objects fill a slab.
pub(crate) const SMALL_MAX: usize = 32 << 10;

/// Number of size classes.
pub(crate) const CLASSES: usize = 40;

/// A size class: its size, and values derived from the size.
#[derive(Clone, Copy)]
pub(crate) struct Class {
    /// The size of an object, in bytes.
    pub(crate) size: u32,
    /// ⌈2³² ÷ size⌉. A number below 2¹⁶ is a multiple of `size` if and only if its product with `magic`, modulo 2³², is less than `magic`
    /// (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019).
    magic: u32,
    /// Offset of the end of the last object in a slab.
    pub(crate) end: u32,
}

impl Class {
    /// True if `offset`, which must be less than 2¹⁶, is a multiple of the size.
    #[inline(always)]
    pub(crate) fn divides(self, offset: u32) -> bool {
        offset.wrapping_mul(self.magic) < self.magic
    }

    /// True if an object begins `offset` bytes after the start of a slab.
    #[inline(always)]
    pub(crate) fn begins_at(self, offset: u32) -> bool {
        self.divides(offset) && offset < self.end
    }
}

static TABLE: [Class; CLASSES] = {
    let mut table = [Class { size: 0, magic: 0, end: 0 }; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let size = if class < 4 { 16 * (class + 1) } else { (16 * (5 + class % 4)) << (class / 4 - 1) };
        table[class] = Class { size: size as u32, magic: (1_u64 << 32).div_ceil(size as u64) as u32, end: (SLAB - SLAB % size) as u32 };
        class += 1;
    }
    table
};

/// Returns the size class with the index `class`.
///
/// # Safety
///
/// `class` must be less than [`CLASSES`].
#[inline(always)]
pub(crate) unsafe fn class(class: usize) -> Class {
    // SAFETY: the caller promises that the index is in bounds. A checked access would add a panic to the machine code.
    unsafe { *TABLE.get_unchecked(class) }
}

/// Returns the index of the smallest class for objects of `size` bytes, at most [`SMALL_MAX`]. Size 0 has the index 0.
#[inline(always)]
pub(crate) fn class_of(size: usize) -> usize {
    let last = size.saturating_sub(1);
    if last < 64 {
        return last >> 4;
    }
    // The highest bit of `last` selects the doubling, and the next two bits select one of its four classes.
    let high = usize::BITS - 1 - last.leading_zeros();
    ((high as usize - 6) << 2) + ((last >> (high - 2)) & 3) + 4
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, SLAB, SMALL_MAX, TABLE, class_of};

    #[test]
    fn each_size_has_the_smallest_class_that_holds_it() {
        assert_eq!(TABLE[CLASSES - 1].size as usize, SMALL_MAX);
        let mut class = 0;
        for size in 0..=SMALL_MAX {
            if size > TABLE[class].size as usize {
                class += 1;
            }
            assert_eq!(class_of(size), class, "{size}");
        }
    }

    #[test]
    fn objects_begin_at_multiples_of_their_size() {
        for class in TABLE {
            for offset in 0..SLAB as u32 {
                let begins = offset % class.size == 0 && (offset + class.size) as usize <= SLAB;
                assert_eq!(class.begins_at(offset), begins, "{offset} of {}", class.size);
            }
        }
    }

    #[test]
    fn classes_waste_at_most_a_fifth() {
        for pair in TABLE.windows(2).filter(|pair| pair[0].size >= 64) {
            assert!((pair[1].size - pair[0].size - 1) * 5 <= pair[1].size, "{}", pair[1].size);
        }
    }
}
