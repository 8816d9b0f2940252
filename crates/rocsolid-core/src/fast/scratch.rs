//! Memory for intermediate results, kept between calls up to a bound.
//!
//! The first touch of a page costs more than everything that is done with the numbers on it. So a buffer that is no
//! longer needed goes to a shelf, and large ones ask the system for large pages.

use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::ptr::NonNull;
use std::slice;
use std::sync::Mutex;

use crate::error::{Error, Result};

/// What the shelf holds at most, in bytes. Anything beyond goes back to the system at once.
pub(crate) const MOST_KEPT: usize = 128 << 20;
/// A large page; large buffers begin on one, small ones on a cache line.
const PAGE: usize = 2 << 20;
const LINE: usize = 64;

static SHELF: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

/// A piece of memory without a meaning: bytes that are initialised, but to nothing in particular.
struct Buffer {
    raw: NonNull<u8>,
    layout: Layout,
    /// From `raw` to the first aligned byte.
    offset: usize,
    bytes: usize,
}

// SAFETY: a buffer owns its memory, as a `Box<[u8]>` would.
#[allow(unsafe_code)]
unsafe impl Send for Buffer {}

impl Buffer {
    fn new(bytes: usize) -> Result<Self> {
        let align = if bytes >= PAGE { PAGE } else { LINE };
        // Aligned by hand: a plain zeroed allocation of this size is fresh pages, which nobody has to write.
        let size = bytes.checked_add(align).ok_or(Error::Memory)?;
        let layout = Layout::from_size_align(size, 16).map_err(|_| Error::Memory)?;
        // SAFETY: the size is above zero.
        #[allow(unsafe_code)]
        let raw = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(Error::Memory)?;
        let offset = raw.as_ptr().align_offset(align);
        let buffer = Buffer {
            raw,
            layout,
            offset: offset.min(align),
            bytes,
        };
        ask_for_large_pages(buffer.start(), buffer.bytes);
        Ok(buffer)
    }

    fn start(&self) -> *mut u8 {
        self.raw.as_ptr().wrapping_add(self.offset)
    }
}

/// Hints that what is written to this memory should lie on large pages.
pub(crate) fn advise<T>(memory: &mut [T]) {
    let start: *mut u8 = memory.as_mut_ptr().cast();
    let (skip, bytes) = (start.align_offset(PAGE), size_of_val(memory));
    if skip < bytes {
        ask_for_large_pages(start.wrapping_add(skip), bytes - skip);
    }
}

/// A hint for memory that begins on a large page; whether it is taken changes only the speed.
fn ask_for_large_pages(start: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if bytes >= PAGE {
        // SAFETY: whole pages inside an allocation that is the caller's; the advice does not change what they hold.
        #[allow(unsafe_code)]
        unsafe {
            libc::madvise(start.cast(), bytes / PAGE * PAGE, libc::MADV_HUGEPAGE);
        }
    }
    let _ = (start, bytes);
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it came from `alloc_zeroed` with this layout and is dropped once.
        #[allow(unsafe_code)]
        unsafe {
            dealloc(self.raw.as_ptr(), self.layout);
        }
    }
}

/// Plain numbers.
///
/// # Safety
/// Every pattern of bits is a value, nothing needs to be dropped, and a cache line is aligned enough.
#[allow(unsafe_code)]
pub unsafe trait Plain: Copy {}

// SAFETY: these are the numbers that the trait is named after.
#[allow(unsafe_code)]
mod plain {
    unsafe impl super::Plain for f32 {}
    unsafe impl super::Plain for f64 {}
    unsafe impl super::Plain for i64 {}
}

/// Room for lanes, on loan from the shelf.
pub(crate) struct Scratch {
    buffer: Option<Buffer>,
}

impl Scratch {
    /// Room for at least `lanes` lanes; what they hold has no meaning.
    pub fn of<L: Plain>(lanes: usize) -> Result<Self> {
        let bytes = lanes.checked_mul(size_of::<L>()).ok_or(Error::Memory)?;
        let buffer = match take_from_shelf(bytes) {
            Some(buffer) => buffer,
            None => Buffer::new(bytes)?,
        };
        Ok(Scratch {
            buffer: Some(buffer),
        })
    }

    /// All of it.
    pub fn lanes<L: Plain>(&mut self) -> &mut [L] {
        let Some(buffer) = &mut self.buffer else {
            return &mut [];
        };
        // SAFETY: the memory is ours, initialised (zeroed, then only written to), long enough, and aligned to a cache
        // line; lanes are plain numbers, for which every pattern of bits is a value.
        #[allow(unsafe_code)]
        unsafe {
            slice::from_raw_parts_mut(buffer.start().cast(), buffer.bytes / size_of::<L>())
        }
    }
}

impl Scratch {
    /// All of it, byte by byte.
    pub fn bytes(&mut self) -> &mut [u8] {
        let Some(buffer) = &mut self.buffer else {
            return &mut [];
        };
        // SAFETY: as above; every pattern of bits is a byte.
        #[allow(unsafe_code)]
        unsafe {
            slice::from_raw_parts_mut(buffer.start(), buffer.bytes)
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // `try_lock`: the shelf may be locked by a thread that a fork left behind.
        if let (Some(buffer), Ok(mut shelf)) = (self.buffer.take(), SHELF.try_lock()) {
            let kept: usize = shelf.iter().map(|b| b.layout.size()).sum();
            if kept.saturating_add(buffer.layout.size()) <= MOST_KEPT {
                shelf.push(buffer);
            }
        }
    }
}

/// The smallest buffer that is large enough, and not so large that another call would miss it. If there is none, the
/// largest of those too small makes way, so that what is kept grows with what is asked for.
fn take_from_shelf(bytes: usize) -> Option<Buffer> {
    let mut shelf = SHELF.try_lock().ok()?;
    let fits = |b: &Buffer| b.bytes >= bytes && b.bytes / 4 <= bytes.max(PAGE);
    let places = 0..shelf.len();
    let best = places
        .clone()
        .filter(|&i| fits(&shelf[i]))
        .min_by_key(|&i| shelf[i].bytes);
    if let Some(place) = best {
        return Some(shelf.swap_remove(place));
    }
    let outgrown = places
        .filter(|&i| shelf[i].bytes < bytes)
        .max_by_key(|&i| shelf[i].bytes);
    if let Some(place) = outgrown {
        drop(shelf.swap_remove(place));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loans_do_not_overlap_and_come_back() {
        let mut one = Scratch::of::<i64>(1 << 13).unwrap();
        let mut two = Scratch::of::<f32>(1 << 20).unwrap();
        one.lanes::<i64>().fill(1);
        two.lanes::<f32>().fill(2.0);
        assert!(one.lanes::<i64>().iter().all(|&x| x == 1));
        assert!(one.lanes::<i64>().len() >= 1 << 13 && two.lanes::<f32>().len() >= 1 << 20);
        assert_eq!(two.lanes::<i64>().as_ptr() as usize % LINE, 0);
        drop((one, two));
        Scratch::of::<f64>(0).unwrap().lanes::<f64>();
    }

    #[test]
    fn what_no_machine_has_is_an_error() {
        assert!(matches!(Scratch::of::<f64>(usize::MAX), Err(Error::Memory)));
        assert!(matches!(
            Scratch::of::<f64>(usize::MAX / 16),
            Err(Error::Memory)
        ));
    }
}
