//! One bucket, small enough for the cache: spread over leaves, then counted leaf by leaf.

use super::compare::Compare;
use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::leaf::{compare_pairs, sort_and_merge, too_many_pairs, Outside, Sums};
use super::map::{Affine, Cells};
use super::precision::LANES;
use super::scratch::Scratch;
use crate::error::Result;

/// Rows that a leaf holds on average.
const ROWS_PER_LEAF: usize = 16;
/// Room taken beyond what a bucket needs, at most.
const ROWS_TO_SPARE: usize = 1 << 15;
/// Rows handled together, so that their leaves are found with vector instructions.
const TOGETHER: usize = 16;
/// Rows that a bucket spreads at most: its counters have 32 bits, and so has a leaf's number as a signed integer.
pub(super) const MOST_SPREAD: usize = 1 << 31;

/// What a thread keeps from bucket to bucket.
#[derive(Default)]
pub(crate) struct Workspace {
    lanes: Option<(Scratch, usize)>,
    pos_ends: Vec<u32>,
    neg_ends: Vec<u32>,
}

/// What the positives of a bucket contribute, given both classes in pieces and their sizes.
pub(crate) fn count<'a, L: Compare>(
    pos: impl Iterator<Item = &'a [L]> + Clone,
    neg: impl Iterator<Item = &'a [L]> + Clone,
    [n_neg, n_pos]: [usize; 2],
    outside: Outside,
    workspace: &mut Workspace,
) -> Result<Sums> {
    if n_pos == 0 {
        return Ok(Sums::default());
    }
    dispatch(Count {
        pos,
        neg,
        n_pos,
        n_neg,
        outside,
        workspace,
    })
}

impl Workspace {
    /// Places for so many lanes.
    pub(super) fn room<L: Lane>(&mut self, need: usize) -> Result<(&mut [L], [&mut Vec<u32>; 2])> {
        let lanes = match self.lanes.take() {
            Some(lanes) if lanes.1 >= need => lanes,
            _ => {
                // Some slack, so that a slightly larger bucket does not ask again.
                let room = need + (need / 4).min(ROWS_TO_SPARE);
                (Scratch::of::<L>(room)?, room)
            }
        };
        let (scratch, _) = self.lanes.insert(lanes);
        let ends = [&mut self.pos_ends, &mut self.neg_ends];
        Ok((&mut scratch.lanes()[..need], ends))
    }
}

struct Count<'w, P, N> {
    pos: P,
    neg: N,
    n_pos: usize,
    n_neg: usize,
    outside: Outside,
    workspace: &'w mut Workspace,
}

impl<'a, P, N, L> Job for Count<'_, P, N>
where
    L: Compare,
    P: Iterator<Item = &'a [L]> + Clone,
    N: Iterator<Item = &'a [L]> + Clone,
{
    type Output = Result<Sums>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<Sums> {
        let (n_pos, n_neg, outside) = (self.n_pos, self.n_neg, self.outside);
        let mut sums = Sums::default();
        let Some((low, high)) = extent(self.pos.clone().chain(self.neg.clone())) else {
            return Ok(sums);
        };
        if low == high {
            // However many they are, they need no room.
            sums.add_one_tie(n_pos as u64, n_neg as u64, outside);
            return Ok(sums);
        }
        // Negatives, then positives, then spare places for a last group of lanes.
        let total = n_pos + n_neg;
        let (room, [pos_ends, neg_ends]) = self.workspace.room(total + LANES)?;
        let (neg_room, pos_room) = room.split_at_mut(n_neg);
        let leaves = (total / ROWS_PER_LEAF).max(1);
        match Affine::over(low.number(), high.number(), leaves as u32) {
            Some(map) if total <= MOST_SPREAD => {
                spread(self.pos, map, leaves, pos_ends, pos_room);
                spread(self.neg, map, leaves, neg_ends, neg_room);
                let leaves = Leaves {
                    pos: pos_room,
                    neg: neg_room,
                    pos_ends,
                    neg_ends,
                };
                leaves.count::<I>(n_pos, outside, &mut sums);
            }
            _ => {
                copy(self.pos, pos_room);
                copy(self.neg, neg_room);
                sort_and_merge(&mut pos_room[..n_pos], neg_room, outside, &mut sums);
            }
        }
        Ok(sums)
    }
}

/// The lowest and the highest score.
#[inline(always)]
pub(super) fn extent<'a, L: Lane>(
    mut pieces: impl Iterator<Item = &'a [L]> + Clone,
) -> Option<(L, L)> {
    let first = *pieces.clone().find_map(<[L]>::first)?;
    let (mut low, mut high) = ([first; TOGETHER], [first; TOGETHER]);
    let mut widen = |i: usize, lane: L| {
        low[i] = if lane < low[i] { lane } else { low[i] };
        high[i] = if lane > high[i] { lane } else { high[i] };
    };
    for piece in &mut pieces {
        let mut strips = piece.chunks_exact(TOGETHER);
        for strip in &mut strips {
            for (i, &lane) in strip.iter().enumerate() {
                widen(i, lane);
            }
        }
        strips.remainder().iter().for_each(|&lane| widen(0, lane));
    }
    let lowest = low
        .into_iter()
        .fold(first, |a, b| if b < a { b } else { a });
    let highest = high
        .into_iter()
        .fold(first, |a, b| if b > a { b } else { a });
    Some((lowest, highest))
}

/// Puts the scores of each leaf together, leaves rising, and notes where each leaf ends.
#[inline(always)]
fn spread<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [L]> + Clone,
    map: Affine,
    leaves: usize,
    ends: &mut Vec<u32>,
    room: &mut [L],
) {
    ends.clear();
    ends.resize(leaves, 0);
    let ends = &mut ends[..];
    for_each_leaf(pieces.clone(), map, |leaf, _| ends[leaf] += 1);
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start); // where it starts, for now
    }
    for_each_leaf(pieces, map, |leaf, lane| {
        room[ends[leaf] as usize] = lane;
        ends[leaf] += 1;
    });
}

/// Visits every score with the number of its leaf.
#[inline(always)]
pub(super) fn for_each_leaf<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [L]>,
    map: Affine,
    mut visit: impl FnMut(usize, L),
) {
    for piece in pieces {
        let mut strips = piece.chunks_exact(TOGETHER);
        for strip in &mut strips {
            let mut leaf = [0; TOGETHER];
            for (leaf, &lane) in leaf.iter_mut().zip(strip) {
                *leaf = map.cell(lane);
            }
            for (&leaf, &lane) in leaf.iter().zip(strip) {
                visit(leaf as usize, lane);
            }
        }
        for &lane in strips.remainder() {
            visit(map.cell(lane) as usize, lane);
        }
    }
}

pub(super) fn copy<'a, L: Lane>(pieces: impl Iterator<Item = &'a [L]>, room: &mut [L]) {
    let mut start = 0;
    for piece in pieces {
        room[start..start + piece.len()].copy_from_slice(piece);
        start += piece.len();
    }
}

/// Scores of both classes, together by leaf.
struct Leaves<'w, L> {
    pos: &'w mut [L],
    neg: &'w mut [L],
    pos_ends: &'w [u32],
    neg_ends: &'w [u32],
}

impl<L: Compare> Leaves<'_, L> {
    #[inline(always)]
    fn count<I: Isa>(self, n_pos: usize, outside: Outside, sums: &mut Sums) {
        let n_neg = self.neg.len();
        let (mut pos_start, mut neg_start) = (0, 0);
        for (&pos_end, &neg_end) in self.pos_ends.iter().zip(self.neg_ends) {
            let (pos_end, neg_end) = (pos_end as usize, neg_end as usize);
            let (a, b) = (pos_end - pos_start, neg_end - neg_start);
            if a > 0 {
                let leaf = Outside {
                    pos_above: outside.pos_above + (n_pos - pos_end) as u64,
                    neg_above: outside.neg_above + (n_neg - neg_end) as u64,
                    neg_below: outside.neg_below + neg_start as u64,
                };
                if too_many_pairs(a, b) {
                    let (pos, neg) = (
                        &mut self.pos[pos_start..pos_end],
                        &mut self.neg[neg_start..neg_end],
                    );
                    sort_and_merge(pos, neg, leaf, sums);
                } else {
                    let neg = &self.neg[neg_start..neg_end];
                    compare_pairs::<L, I>(&self.pos[pos_start..], a, neg, leaf, sums);
                }
            }
            (pos_start, neg_start) = (pos_end, neg_end);
        }
    }
}
