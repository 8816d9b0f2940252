//! One bucket, small enough for the cache: spread over leaves, then counted leaf by leaf.

use std::iter::once;

use super::compare::Compare;
use super::heavy;
use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::leaf::{compare_pairs, sort_and_merge, too_many_pairs, Outside, Sums};
use super::map::{Affine, Bits, Cells};
use super::precision::LANES;
use super::scratch::Scratch;
use crate::error::Result;

/// Rows that a leaf holds on average: most leaves then have no more rows of a class than are compared together.
const ROWS_PER_LEAF: usize = 10;
/// Rows from which on a leaf that the map has crowded is spread again. The first turn is by a line, unless that crowds
/// the leaves, and any other by order. What lies together after the last turn is sorted.
const WORTH_SPREADING: usize = 512;
const LAST_TURN: u32 = 2;
/// Rows of a bucket that is many times as large as was planned.
const UNPLANNED: usize = 1 << 17;
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
    /// For leaves that are spread again.
    deeper: Option<Box<Workspace>>,
}

/// Places for lanes, for the ends of the leaves of both classes, and for what is spread again.
type Room<'w, L> = (
    &'w mut [L],
    [&'w mut Vec<u32>; 2],
    &'w mut Option<Box<Workspace>>,
);

/// What the positives of a bucket contribute, given negatives and positives in pieces and their sizes, and the
/// turn to begin with.
pub(crate) fn count<'a, L: Compare>(
    rows: [impl Iterator<Item = &'a [L]> + Clone; 2],
    size: [usize; 2],
    outside: Outside,
    workspace: &mut Workspace,
) -> Result<Sums> {
    if size[0] + size[1] > UNPLANNED {
        if let Some(sums) = heavy::count(rows.clone(), outside, workspace)? {
            return Ok(sums);
        }
    }
    count_again(rows, size, outside, workspace, 0)
}

/// The same for a part of a bucket, which has been spread already.
pub(super) fn count_again<'a, L: Compare>(
    [neg, pos]: [impl Iterator<Item = &'a [L]> + Clone; 2],
    [n_neg, n_pos]: [usize; 2],
    outside: Outside,
    workspace: &mut Workspace,
    turn: u32,
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
        turn,
    })
}

impl Workspace {
    /// Places for so many lanes.
    pub(super) fn room<L: Lane>(&mut self, need: usize) -> Result<Room<'_, L>> {
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
        Ok((&mut scratch.lanes()[..need], ends, &mut self.deeper))
    }
}

struct Count<'w, P, N> {
    pos: P,
    neg: N,
    n_pos: usize,
    n_neg: usize,
    outside: Outside,
    workspace: &'w mut Workspace,
    turn: u32,
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
        let (room, [pos_ends, neg_ends], deeper) = self.workspace.room(total + LANES)?;
        let (neg_room, pos_room) = room.split_at_mut(n_neg);
        if total > MOST_SPREAD {
            copy(self.pos, pos_room);
            copy(self.neg, neg_room);
            sort_and_merge(&mut pos_room[..n_pos], neg_room, outside, &mut sums);
            return Ok(sums);
        }
        let leaves = (total / ROWS_PER_LEAF).max(1) as u32;
        let mut line = Affine::over(low.number(), high.number(), leaves);
        if self.turn > 0 {
            line = None;
        }
        if let Some(map) = line {
            tally(self.pos.clone(), map, leaves, pos_ends);
            tally(self.neg.clone(), map, leaves, neg_ends);
            if !is_even(pos_ends, neg_ends) {
                line = None;
            }
        }
        if let Some(map) = line {
            place(self.pos, map, pos_ends, pos_room);
            place(self.neg, map, neg_ends, neg_room);
        } else {
            let map = Bits::over(low.order(), high.order(), leaves);
            tally(self.pos.clone(), map, leaves, pos_ends);
            tally(self.neg.clone(), map, leaves, neg_ends);
            place(self.pos, map, pos_ends, pos_room);
            place(self.neg, map, neg_ends, neg_room);
        }
        let leaves = Leaves {
            pos: pos_room,
            neg: neg_room,
            pos_ends,
            neg_ends,
            again: (self.turn < LAST_TURN)
                .then(|| (self.turn + 1, &mut **deeper.get_or_insert_default())),
        };
        leaves.count::<I>(n_pos, outside, &mut sums)?;
        Ok(sums)
    }
}

/// The lowest and the highest score.
#[inline(always)]
pub(super) fn extent<'a, L: Lane>(pieces: impl Iterator<Item = &'a [L]> + Clone) -> Option<(L, L)> {
    let first = *pieces.clone().find_map(<[L]>::first)?;
    let (mut low, mut high) = ([first; LANES], [first; LANES]);
    for piece in pieces {
        // A loop for each: the compiler has instructions for a minimum, but loses them among other things.
        fold_by_lanes(piece, &mut low, lower);
        fold_by_lanes(piece, &mut high, higher);
    }
    Some((
        low.into_iter().fold(first, lower),
        high.into_iter().fold(first, higher),
    ))
}

#[inline(always)]
fn fold_by_lanes<L: Lane>(piece: &[L], so_far: &mut [L; LANES], choose: impl Fn(L, L) -> L) {
    let (mut chosen, mut strips) = (*so_far, piece.chunks_exact(LANES));
    for strip in &mut strips {
        for i in 0..LANES {
            chosen[i] = choose(strip[i], chosen[i]);
        }
    }
    for (chosen, &lane) in chosen.iter_mut().zip(strips.remainder()) {
        *chosen = choose(lane, *chosen);
    }
    *so_far = chosen;
}

#[inline(always)]
fn lower<L: Lane>(a: L, b: L) -> L {
    if a < b {
        a
    } else {
        b
    }
}

#[inline(always)]
fn higher<L: Lane>(a: L, b: L) -> L {
    if a > b {
        a
    } else {
        b
    }
}

/// Counts the scores of each leaf.
#[inline(always)]
fn tally<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [L]>,
    map: impl Cells<L>,
    leaves: u32,
    sizes: &mut Vec<u32>,
) {
    sizes.clear();
    sizes.resize(leaves as usize, 0);
    let sizes = &mut sizes[..];
    for_each_leaf(pieces, map, |leaf, _| sizes[leaf] += 1);
}

/// Whether few rows are in leaves much larger than planned, by the pairs that there are to compare.
#[inline(always)]
fn is_even(pos_sizes: &[u32], neg_sizes: &[u32]) -> bool {
    const PLANNED: u64 = ROWS_PER_LEAF as u64; // pairs per row, not quite
    let (mut rows, mut pairs) = (0, 0);
    for (&pos, &neg) in pos_sizes.iter().zip(neg_sizes) {
        let (pos, neg) = (u64::from(pos), u64::from(neg));
        rows += pos + neg;
        pairs += pos * (pos + 2 * neg);
    }
    pairs <= 4 * PLANNED * rows
}

/// Puts the scores of each leaf together, leaves rising, and turns their sizes into where they end.
#[inline(always)]
fn place<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [L]>,
    map: impl Cells<L>,
    ends: &mut [u32],
    room: &mut [L],
) {
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
    map: impl Cells<L>,
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
    /// If a leaf may be spread again: whose turn it is then, and where.
    again: Option<(u32, &'w mut Workspace)>,
}

impl<L: Compare> Leaves<'_, L> {
    #[inline(always)]
    fn count<I: Isa>(mut self, n_pos: usize, outside: Outside, sums: &mut Sums) -> Result<()> {
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
                    match &mut self.again {
                        Some((turn, deeper)) if a + b > WORTH_SPREADING => {
                            let rows = [once(&*neg), once(&*pos)];
                            *sums += count_again(rows, [b, a], leaf, deeper, *turn)?;
                        }
                        _ => sort_and_merge(pos, neg, leaf, sums),
                    }
                } else {
                    let rows = [&self.pos[pos_start..], &self.neg[neg_start..]];
                    compare_pairs::<L, I>(rows, [a, b], n_pos - pos_start, leaf, sums);
                }
            }
            (pos_start, neg_start) = (pos_end, neg_end);
        }
        Ok(())
    }
}
