//! The distribution: one pass that copies every score into the stream of its bucket and label.
//!
//! A stream is a chain of small blocks, taken one after another from a common store as they fill up. So nothing needs
//! to be counted first, and the store is barely larger than the data. The label only chooses the stream; nobody looks
//! at it again.

use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::map::{BucketOfCell, Cells, CELLS, MOST_BUCKETS};
use super::parts::Part;
use super::scratch::Plain;
use crate::error::{Error, Result};
use crate::order::Score;

/// Scores per block: a power of two, so that the end of one shows in the low bits of an index.
pub(crate) const BLOCK: usize = 128;
/// Two streams per bucket, the negatives' and the positives'.
pub(crate) const MOST_STREAMS: usize = 2 * MOST_BUCKETS;
/// Rows handled together, so that their cells are found with vector instructions.
const TOGETHER: usize = 16;

/// Places that the store of `rows` rows needs: fewer than `2^32`, which cursors can count, for the rows of a part.
pub(crate) fn places_for(rows: usize, buckets: usize) -> usize {
    // Every stream wastes less than a block.
    (rows.div_ceil(BLOCK) + 2 * buckets) * BLOCK
}

/// Streams of scores in a store.
pub(crate) struct Streams<'a, L> {
    store: &'a mut [L],
    /// Where the next score of each stream goes. A multiple of [`BLOCK`] says that its block is full, or, for 0, that
    /// it has none yet. Fixed arrays: a mask proves that a stream is within.
    cursors: Box<[u32; MOST_STREAMS]>,
    first_blocks: Box<[u32; MOST_STREAMS]>,
    next_blocks: Vec<u32>,
    /// How many blocks each stream has, and all of them together.
    chains: Box<[u32; MOST_STREAMS]>,
    blocks: u32,
}

impl<'a, L: Copy> Streams<'a, L> {
    /// Empty streams. The store has at least [`places_for`] places for what is to come.
    pub fn new(store: &'a mut [L]) -> Self {
        Streams {
            cursors: Box::new([0; MOST_STREAMS]),
            first_blocks: Box::new([0; MOST_STREAMS]),
            next_blocks: vec![0; store.len() / BLOCK],
            chains: Box::new([0; MOST_STREAMS]),
            blocks: 0,
            store,
        }
    }

    /// Where a pass writes to.
    pub fn ends(&mut self) -> Ends<'_, L> {
        Ends {
            store: self.store,
            cursors: &mut self.cursors,
            first_blocks: &mut self.first_blocks,
            next_blocks: &mut self.next_blocks,
            chains: &mut self.chains,
            blocks: &mut self.blocks,
        }
    }

    /// How many scores are in a stream.
    pub fn rows(&self, stream: usize) -> usize {
        let spare =
            (self.cursors[stream] as usize).next_multiple_of(BLOCK) - self.cursors[stream] as usize;
        self.chains[stream] as usize * BLOCK - spare
    }

    /// The scores of a stream, piece by piece, in the order of the rows.
    pub fn pieces(&self, stream: usize) -> impl Iterator<Item = &[L]> + Clone {
        let cursor = self.cursors[stream] as usize;
        let last = cursor.checked_sub(1).map(|place| place / BLOCK);
        let mut block = last.map(|_| self.first_blocks[stream] as usize);
        std::iter::from_fn(move || {
            let here = block?;
            let start = here * BLOCK;
            let end = if Some(here) == last {
                cursor
            } else {
                start + BLOCK
            };
            block = (Some(here) != last).then(|| self.next_blocks[here] as usize);
            if let Some(next) = block {
                prefetch(&self.store[next * BLOCK..][..BLOCK]);
            }
            Some(&self.store[start..end])
        })
    }
}

/// What a pass writes to, apart from each other: then the compiler knows that no store changes where another goes.
pub(crate) struct Ends<'w, L> {
    store: &'w mut [L],
    cursors: &'w mut [u32; MOST_STREAMS],
    first_blocks: &'w mut [u32; MOST_STREAMS],
    next_blocks: &'w mut [u32],
    chains: &'w mut [u32; MOST_STREAMS],
    blocks: &'w mut u32,
}

impl<L: Copy> Ends<'_, L> {
    /// Appends to a stream.
    #[inline(always)]
    pub fn push(&mut self, stream: usize, lane: L) {
        let stream = stream % MOST_STREAMS;
        let mut place = self.cursors[stream] as usize;
        if place.is_multiple_of(BLOCK) {
            place = self.open_block(stream, place);
        }
        self.cursors[stream] = (place + 1) as u32;
        // One line ahead: the line that the stream will write to after this one.
        prefetch_to_write(
            self.store
                .as_ptr()
                .wrapping_add(place)
                .wrapping_byte_add(64),
        );
        self.store[place] = lane;
    }

    /// Chains a fresh block to a stream that has none or a full one, and tells its first place.
    #[inline(never)]
    fn open_block(&mut self, stream: usize, place: usize) -> usize {
        let fresh = *self.blocks;
        *self.blocks += 1;
        self.chains[stream] += 1;
        match place.checked_sub(1) {
            None => self.first_blocks[stream] = fresh,
            Some(last) => self.next_blocks[last / BLOCK] = fresh,
        }
        fresh as usize * BLOCK
    }
}

/// What a row carries beside its score and label, and what of it goes into its stream.
pub(crate) trait Load<L: Lane>: Copy + Sync {
    /// As it lies in the stream.
    type Item: Plain + Send;

    /// Whether the row counts; if not it is absent, and its score may be NaN.
    fn counts(self) -> bool;

    /// The row without its label.
    fn item(self, lane: L) -> Self::Item;
}

/// Rows that all count alike are their scores.
impl<L: Lane> Load<L> for () {
    type Item = L;

    #[inline(always)]
    fn counts(self) -> bool {
        true
    }

    #[inline(always)]
    fn item(self, lane: L) -> L {
        lane
    }
}

impl<I: Plain> Streams<'_, I> {
    /// Distributes rows: bucket `b` is in the streams `2 b`, negatives, and `2 b + 1`, positives.
    pub fn fill<S: Score, W: Load<S::Lane, Item = I>>(
        &mut self,
        rows: Part<'_, S, W>,
        cells: impl Cells<S::Lane>,
        bucket_of_cell: &BucketOfCell,
    ) -> Result<()> {
        dispatch(Fill {
            rows,
            cells,
            bucket_of_cell,
            streams: self,
        })
    }
}

/// Makes the line of a place ours before it is written: twice as fast as finding out at the store.
#[inline(always)]
fn prefetch_to_write<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint that neither reads nor writes, at any address, and does nothing on processors without it.
    #[allow(unsafe_code)]
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) place.addr(), options(nomem, nostack, preserves_flags));
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: as above.
    #[allow(unsafe_code)]
    unsafe {
        std::arch::asm!("prfm pstl1keep, [{}]", in(reg) place.addr(), options(nomem, nostack, preserves_flags));
    }
    let _ = place;
}

/// Fetches a block while the one before is read: blocks of a chain lie far apart, where the processor can not guess.
#[inline(always)]
fn prefetch<T>(block: &[T]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in block.chunks(64 / size_of::<T>()) {
        // SAFETY: a hint at an address that exists.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
                line.as_ptr().cast(),
            );
        }
    }
    let _ = block;
}

struct Fill<'w, 'a, S, W, I, C> {
    rows: Part<'w, S, W>,
    cells: C,
    bucket_of_cell: &'w BucketOfCell,
    streams: &'w mut Streams<'a, I>,
}

impl<S, W, C> Job for Fill<'_, '_, S, W, W::Item, C>
where
    S: Score,
    W: Load<S::Lane>,
    C: Cells<S::Lane>,
{
    type Output = Result<()>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<()> {
        let Fill {
            rows,
            cells,
            bucket_of_cell,
            streams,
        } = self;
        let mut streams = streams.ends();
        let mut push = |lane, cell: u32, positive: u8, load: W| {
            let bucket = usize::from(bucket_of_cell[cell as usize % CELLS]);
            if load.counts() {
                streams.push(2 * bucket + usize::from(positive != 0), load.item(lane));
            }
        };
        let mut strips = rows.scores.chunks_exact(TOGETHER);
        let mut labels = rows.positive.chunks_exact(TOGETHER);
        let mut loads = rows.loads.chunks_exact(TOGETHER);
        for ((strip, positive), loads) in (&mut strips).zip(&mut labels).zip(&mut loads) {
            let (mut lanes, mut cell, mut nan) =
                ([S::Lane::default(); TOGETHER], [0; TOGETHER], false);
            for i in 0..TOGETHER {
                lanes[i] = strip[i].lane();
                cell[i] = cells.cell(lanes[i]);
                nan |= lanes[i].is_nan() & loads[i].counts();
            }
            if nan {
                return Err(Error::Nan);
            }
            for i in 0..TOGETHER {
                push(lanes[i], cell[i], positive[i], loads[i]);
            }
        }
        let rest = strips.remainder().iter().zip(labels.remainder());
        for ((score, &positive), &load) in rest.zip(loads.remainder()) {
            let lane = score.lane();
            if lane.is_nan() && load.counts() {
                return Err(Error::Nan);
            }
            push(lane, cells.cell(lane), positive, load);
        }
        Ok(())
    }
}
