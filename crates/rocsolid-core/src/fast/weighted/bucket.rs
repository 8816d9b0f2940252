//! One bucket of weighted rows: spread over leaves, then counted leaf by leaf.

use super::item::Item;
use super::leaf::{Column, Leaf, MOST_COMPARED};
use crate::error::Result;
use crate::fast::isa::{dispatch, Isa, Job};
use crate::fast::lane::Lane;
use crate::fast::map::{Affine, Cells};
use crate::fast::scratch::Scratch;
use crate::weighted::sums::{Masses, Sums, LANES};
use crate::weighted::units::{whole, Unit};

/// Rows that a leaf holds on average.
const ROWS_PER_LEAF: usize = 16;
/// Rows handled together, so that their leaves are found with vector instructions.
const TOGETHER: usize = 16;
/// Rows that a bucket spreads at most: its counters have 32 bits.
const MOST_SPREAD: usize = 1 << 31;
/// Room taken beyond what a bucket needs, at most.
const ROWS_TO_SPARE: usize = 1 << 14;

/// What a thread keeps from bucket to bucket.
#[derive(Default)]
pub(super) struct Workspace {
    items: Option<(Scratch, usize)>,
    pos_ends: Vec<u32>,
    neg_ends: Vec<u32>,
    pos: Column,
    neg: Column,
}

/// The rows of a bucket, each class in pieces, and how many they are.
pub(super) struct Bucket<P, N> {
    pub pos: P,
    pub neg: N,
    pub sizes: [usize; 2],
    pub unit: Unit,
}

impl<'a, L, P, N> Bucket<P, N>
where
    L: Lane,
    P: Iterator<Item = &'a [Item<L>]> + Clone,
    N: Iterator<Item = &'a [Item<L>]> + Clone,
{
    /// The sums of weights.
    pub fn masses(self) -> Masses {
        let mass = |piece| dispatch(Mass(piece, self.unit));
        Masses {
            pos: self.pos.map(mass).sum(),
            neg: self.neg.map(mass).sum(),
        }
    }

    /// Adds what its positives contribute, given what is above; and tells its sums of weights.
    pub fn count(
        self,
        above: Masses,
        sums: &mut Sums,
        workspace: &mut Workspace,
    ) -> Result<Masses> {
        if self.sizes[1] == 0 {
            return Ok(self.masses());
        }
        dispatch(Count {
            bucket: self,
            above,
            sums,
            workspace,
        })
    }
}

/// The sum of the weights of fewer than `2^11` rows.
struct Mass<'a, L>(&'a [Item<L>], Unit);

impl<L: Lane> Job for Mass<'_, L> {
    type Output = u128;

    #[inline(always)]
    fn run<I: Isa>(self) -> u128 {
        let Mass(items, unit) = self;
        let mut sums = [[0i64; LANES]; 2];
        let mut add = |i: usize, weight: f64| {
            let [low, high] = unit.limbs(weight);
            sums[0][i] += low;
            sums[1][i] += high;
        };
        let mut strips = items.chunks_exact(LANES);
        for strip in &mut strips {
            for (i, item) in strip.iter().enumerate() {
                add(i, item.weight);
            }
        }
        strips
            .remainder()
            .iter()
            .for_each(|item| add(0, item.weight));
        whole(sums.map(|lanes| lanes.iter().sum())) as u128
    }
}

struct Count<'w, P, N> {
    bucket: Bucket<P, N>,
    above: Masses,
    sums: &'w mut Sums,
    workspace: &'w mut Workspace,
}

impl<'a, L, P, N> Job for Count<'_, P, N>
where
    L: Lane,
    P: Iterator<Item = &'a [Item<L>]> + Clone,
    N: Iterator<Item = &'a [Item<L>]> + Clone,
{
    type Output = Result<Masses>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<Masses> {
        let Count {
            bucket,
            above,
            sums,
            workspace,
        } = self;
        let Some((low, high)) = extent(bucket.pos.clone().chain(bucket.neg.clone())) else {
            return Ok(Masses::default());
        };
        if low == high {
            let masses = bucket.masses();
            sums.add_ties(masses, above);
            return Ok(masses);
        }
        let Bucket {
            pos,
            neg,
            sizes: [n_neg, n_pos],
            unit,
        } = bucket;
        // Positives, then spare places for a last group of lanes, then the same of the negatives.
        let room = room(&mut workspace.items, n_pos + n_neg + 2 * LANES)?;
        let (pos_room, neg_room) = room.split_at_mut(n_pos + LANES);
        let rows = n_pos + n_neg;
        let leaves = (rows / ROWS_PER_LEAF).max(1);
        let map = Affine::over(low.number(), high.number(), leaves as u32);
        let ends = [&mut workspace.pos_ends, &mut workspace.neg_ends];
        match map.filter(|_| rows <= MOST_SPREAD) {
            Some(map) => {
                let [pos_ends, neg_ends] = ends;
                spread(pos, map, leaves, pos_ends, pos_room);
                spread(neg, map, leaves, neg_ends, neg_room);
            }
            None => {
                let [pos_ends, neg_ends] = ends;
                copy(pos, pos_room);
                copy(neg, neg_room);
                (*pos_ends, *neg_ends) = (vec![n_pos as u32], vec![n_neg as u32]);
            }
        }
        let mut masses = Masses::default();
        let (mut pos_end, mut neg_end) = (n_pos, n_neg);
        for leaf in (0..workspace.pos_ends.len()).rev() {
            let start = |ends: &[u32]| leaf.checked_sub(1).map_or(0, |below| ends[below] as usize);
            let (pos_start, neg_start) = (start(&workspace.pos_ends), start(&workspace.neg_ends));
            let mut leaf = Leaf {
                pos: &mut pos_room[pos_start..],
                neg: &mut neg_room[neg_start..],
                n_pos: pos_end - pos_start,
                n_neg: neg_end - neg_start,
                above: above.and(masses),
                unit,
            };
            let columns = [&mut workspace.pos, &mut workspace.neg];
            let of_leaf = if leaf.n_pos.max(leaf.n_neg) <= MOST_COMPARED {
                leaf.compare_pairs::<I>(columns, sums)
            } else {
                leaf.sort_and_walk(sums)
            };
            masses = masses.and(of_leaf);
            (pos_end, neg_end) = (pos_start, neg_start);
        }
        Ok(masses)
    }
}

/// Places for so many items.
fn room<L: Lane>(items: &mut Option<(Scratch, usize)>, need: usize) -> Result<&mut [Item<L>]> {
    let kept = match items.take() {
        Some(kept) if kept.1 >= need => kept,
        _ => {
            // Some slack, so that a slightly larger bucket does not ask again.
            let room = need + (need / 4).min(ROWS_TO_SPARE);
            (Scratch::of::<Item<L>>(room)?, room)
        }
    };
    Ok(&mut items.insert(kept).0.lanes()[..need])
}

/// The lowest and the highest score.
#[inline(always)]
fn extent<'a, L: Lane>(mut pieces: impl Iterator<Item = &'a [Item<L>]> + Clone) -> Option<(L, L)> {
    let first = pieces.clone().find_map(<[Item<L>]>::first)?.lane;
    let (mut low, mut high) = ([first; LANES], [first; LANES]);
    let mut widen = |i: usize, lane: L| {
        low[i] = if lane < low[i] { lane } else { low[i] };
        high[i] = if lane > high[i] { lane } else { high[i] };
    };
    for piece in &mut pieces {
        let mut strips = piece.chunks_exact(LANES);
        for strip in &mut strips {
            for (i, item) in strip.iter().enumerate() {
                widen(i, item.lane);
            }
        }
        strips
            .remainder()
            .iter()
            .for_each(|item| widen(0, item.lane));
    }
    let lowest = low
        .into_iter()
        .fold(first, |a, b| if b < a { b } else { a });
    let highest = high
        .into_iter()
        .fold(first, |a, b| if b > a { b } else { a });
    Some((lowest, highest))
}

/// Puts the items of each leaf together, leaves rising, and notes where each leaf ends.
#[inline(always)]
fn spread<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [Item<L>]> + Clone,
    map: Affine,
    leaves: usize,
    ends: &mut Vec<u32>,
    room: &mut [Item<L>],
) {
    ends.clear();
    ends.resize(leaves, 0);
    let ends = &mut ends[..];
    for_each_leaf(pieces.clone(), map, |leaf, _| ends[leaf] += 1);
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start); // where it starts, for now
    }
    for_each_leaf(pieces, map, |leaf, item| {
        room[ends[leaf] as usize] = item;
        ends[leaf] += 1;
    });
}

/// Visits every item with the number of its leaf.
#[inline(always)]
fn for_each_leaf<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [Item<L>]>,
    map: Affine,
    mut visit: impl FnMut(usize, Item<L>),
) {
    for piece in pieces {
        let mut strips = piece.chunks_exact(TOGETHER);
        for strip in &mut strips {
            let mut leaf = [0; TOGETHER];
            for (leaf, item) in leaf.iter_mut().zip(strip) {
                *leaf = map.cell(item.lane);
            }
            for (&leaf, &item) in leaf.iter().zip(strip) {
                visit(leaf as usize, item);
            }
        }
        for &item in strips.remainder() {
            visit(map.cell(item.lane) as usize, item);
        }
    }
}

fn copy<'a, L: Lane>(pieces: impl Iterator<Item = &'a [Item<L>]>, room: &mut [Item<L>]) {
    let mut start = 0;
    for piece in pieces {
        room[start..start + piece.len()].copy_from_slice(piece);
        start += piece.len();
    }
}
