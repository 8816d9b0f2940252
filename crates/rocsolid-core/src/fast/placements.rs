//! Placements from the distribution: nothing is put in order.
//!
//! Twice the placement of a row is twice the rows of the other class on one side of it, and once those tied. Buckets
//! tell how many lie beyond them, and within a leaf every row is compared with every row of the other class.
//!
//! Where a row came from is never written down. A second walk over the rows finds the stream of each again; rows of a
//! stream come in the order in which they went in, so a cursor for each stream leads back.

use std::ops::Range;

use super::bucket::{extent, for_each_leaf, MOST_SPREAD};
use super::compare::{as_places, Compare};
use super::distribute::{distribute, pieces, sizes};
use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::map::{Affine, BucketOfCell, Cells, Splitters, CELLS};
use super::parts::{Part, Parts};
use super::plan::{buckets_for, Buckets, Map, Sample};
use super::precision::LANES;
use super::scratch::advise;
use super::streams::{Streams, MOST_STREAMS};
use super::{some_buckets, Path, TOO_FEW};
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::parallel::map;
use crate::rows::{placements_by_sorting, Column};
use crate::subnormals::Subnormals;

/// Rows that a leaf holds on average.
const ROWS_PER_LEAF: usize = 10;
/// Rows whose cells are found together, with vector instructions.
const TOGETHER: usize = 16;

/// Twice the placement of each row: for a positive `2 x negatives more lenient + negatives tied`, for a negative
/// `2 x positives stricter + positives tied`.
///
/// Strict to lenient is downwards if `descending`, else upwards. Narrow if twice the larger class fits 32 bits. Of the
/// paths named, `Distribute` leads here; the others sort.
pub fn placements<S: Score<Key: Into<u64>>>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    descending: bool,
    call: &Call,
) -> Result<Column> {
    same_length(&[scores.len(), positive.len()])?;
    call.check()?;
    let count = match path {
        Path::Auto if scores.len() >= TOO_FEW => buckets_for(scores.len()),
        Path::Distribute if !scores.is_empty() => some_buckets(scores.len()),
        _ => return placements_by_sorting(scores, positive, descending, call),
    };
    let _subnormals = Subnormals::seen();
    let buckets = Buckets::plan(&Sample::of(scores)?, count);
    distribute(scores, positive, &buckets, call, |streams, threads| {
        let filled = Filled::new(streams, &buckets, descending, threads);
        Ok(if filled.is_narrow() {
            Column::Narrow(filled.place::<u32, S>(scores, positive, call)?)
        } else {
            Column::Wide(filled.place::<u64, S>(scores, positive, call)?)
        })
    })
}

/// An integer that a placement is written as, if it fits.
pub(crate) trait Place: Copy + Default + Send + Sync {
    /// The number modulo its own size.
    fn of(twice: u64) -> Self;
}

impl Place for u32 {
    #[inline(always)]
    fn of(twice: u64) -> u32 {
        twice as u32
    }
}

impl Place for u64 {
    #[inline(always)]
    fn of(twice: u64) -> u64 {
        twice
    }
}

/// From rows of the other class below a row to its placement: `base + twice` or `base - twice`.
#[derive(Clone, Copy)]
struct Rule {
    base: u64,
    sign: u64,
}

impl Rule {
    /// `below` rows of the other class lie below all of those that the rule is for, of `all`.
    fn new(below: u64, all: u64, rising: bool) -> Self {
        if rising {
            let (base, sign) = (2 * below, 1);
            Rule { base, sign }
        } else {
            let (base, sign) = (2 * (all - below), u64::MAX);
            Rule { base, sign }
        }
    }

    /// Given twice the rows below in here, and once those tied.
    #[inline(always)]
    fn place(self, twice: u64) -> u64 {
        self.base.wrapping_add(self.sign.wrapping_mul(twice))
    }

    /// The same with so many more rows below.
    #[inline(always)]
    fn beyond(self, below: usize) -> Self {
        let base = self.place(2 * below as u64);
        Rule { base, ..self }
    }
}

/// The rows in their streams.
struct Filled<'a, 's, L> {
    streams: &'a [Streams<'s, L>],
    buckets: &'a Buckets<L>,
    /// Negatives and positives of each bucket, and of all.
    sizes: Vec<[usize; 2]>,
    all: [u64; 2],
    descending: bool,
    threads: usize,
}

impl<'a, 's, L: Compare> Filled<'a, 's, L> {
    fn new(
        streams: &'a [Streams<'s, L>],
        buckets: &'a Buckets<L>,
        descending: bool,
        threads: usize,
    ) -> Self {
        let sizes = sizes(streams, buckets.count);
        let all = [0, 1].map(|class| sizes.iter().map(|size| size[class] as u64).sum());
        Filled {
            streams,
            buckets,
            sizes,
            all,
            descending,
            threads,
        }
    }

    fn is_narrow(&self) -> bool {
        self.all.iter().all(|&rows| 2 * rows <= u64::from(u32::MAX))
    }

    fn place<T: Place, S: Score<Lane = L>>(
        &self,
        scores: &[S],
        positive: &[u8],
        call: &Call,
    ) -> Result<Vec<T>> {
        let by_stream = self.by_stream::<T>(scores.len(), call)?;
        let mut by_row = zeros(scores.len());
        let parts = Parts::new(scores, positive, call);
        let places = by_row.chunks_mut(parts.size);
        let jobs = parts.iter().zip(places).zip(self.cursors());
        let lead_back = |(): &mut (), ((part, places), cursors)| {
            let back = Back {
                by_stream: &by_stream,
                cursors,
                of_cell: &self.buckets.of_cell,
            };
            back.lead(part, places, &self.buckets.map, call)
        };
        map(call, self.threads, jobs, || (), lead_back)?;
        Ok(by_row)
    }

    /// The placements of each stream's rows in their order, one stream behind the other.
    fn by_stream<T: Place>(&self, rows: usize, call: &Call) -> Result<Vec<T>> {
        let mut places = zeros(rows);
        let (mut rest, mut below) = (&mut places[..], [0, 0]);
        let jobs = self.sizes.iter().enumerate().map(|(b, &[n_neg, n_pos])| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(n_neg + n_pos);
            rest = others;
            let [neg_below, pos_below] = below;
            below = [neg_below + n_neg as u64, pos_below + n_pos as u64];
            let of_neg = Rule::new(pos_below, self.all[1], !self.descending);
            let of_pos = Rule::new(neg_below, self.all[0], self.descending);
            (b, [of_neg, of_pos], here)
        });
        let place = |room: &mut Room<L>, (b, rules, places): (usize, [Rule; 2], &mut [T])| {
            room.reserve(places.len());
            dispatch(Bucket {
                classes: [2 * b, 2 * b + 1].map(|stream| pieces(self.streams, stream)),
                n_neg: self.sizes[b][0],
                rules,
                room,
                places,
            });
            Ok(())
        };
        map(call, self.threads, jobs, Room::default, place)?;
        Ok(places)
    }

    /// Where the rows of each stream begin, for each part of the rows.
    fn cursors(&self) -> Vec<Box<[usize; MOST_STREAMS]>> {
        let mut cursors = vec![Box::new([0; MOST_STREAMS]); self.streams.len()];
        let mut start = 0;
        for stream in 0..2 * self.buckets.count {
            for (cursors, part) in cursors.iter_mut().zip(self.streams) {
                cursors[stream] = start;
                start += part.rows(stream);
            }
        }
        cursors
    }
}

/// Zeros that are written for the first time by who fills them.
fn zeros<T: Place>(n: usize) -> Vec<T> {
    let mut zeros = vec![T::default(); n];
    advise(&mut zeros);
    zeros
}

/// What a thread keeps from bucket to bucket: scores by leaf, and where their placements go.
#[derive(Default)]
struct Room<L> {
    lanes: Vec<L>,
    targets: Vec<u32>,
    middles: Vec<u32>,
    ends: Vec<u32>,
    order: Vec<(L, u32)>,
}

impl<L: Lane> Room<L> {
    /// Places for so many rows, and a last group of lanes.
    fn reserve(&mut self, rows: usize) {
        let need = self.lanes.len().max(rows + LANES);
        self.lanes.resize(need, L::default());
        self.targets.resize(need, 0);
    }
}

/// One bucket: its negatives and positives in pieces, and the places of both in this order.
struct Bucket<'w, L, P, T> {
    classes: [P; 2],
    n_neg: usize,
    rules: [Rule; 2],
    room: &'w mut Room<L>,
    places: &'w mut [T],
}

impl<'a, L, P, T> Job for Bucket<'_, L, P, T>
where
    L: Compare,
    P: Iterator<Item = &'a [L]> + Clone,
    T: Place,
{
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self) {
        let [neg, pos] = self.classes.clone();
        let Some((low, high)) = extent(neg.clone().chain(pos.clone())) else {
            return;
        };
        let rows = self.places.len();
        if low == high {
            let (neg, pos) = self.places.split_at_mut(self.n_neg);
            let [of_neg, of_pos] = self.rules;
            let (n_neg, n_pos) = (neg.len() as u64, pos.len() as u64);
            neg.fill(T::of(of_neg.place(n_pos)));
            pos.fill(T::of(of_pos.place(n_neg)));
            return;
        }
        let leaves = (rows / ROWS_PER_LEAF).max(1);
        match Affine::over(low.number(), high.number(), leaves as u32) {
            Some(map) if rows <= MOST_SPREAD => {
                self.spread(map, leaves);
                self.leaves::<I>();
            }
            _ => {
                self.room.order.clear();
                let rows = neg.chain(pos).flatten().copied();
                self.room.order.extend(rows.zip(0..));
                self.sorted(self.rules);
            }
        }
    }
}

impl<'a, L, P, T> Bucket<'_, L, P, T>
where
    L: Compare,
    P: Iterator<Item = &'a [L]> + Clone,
    T: Place,
{
    /// Puts the scores of each leaf together, leaves rising, negatives first, each with the number of its place; notes
    /// where its negatives and it all end.
    #[inline(always)]
    fn spread(&mut self, map: Affine, leaves: usize) {
        let Room {
            lanes,
            targets,
            middles,
            ends,
            ..
        } = &mut *self.room;
        for counts in [&mut *middles, &mut *ends] {
            counts.clear();
            counts.resize(leaves, 0);
        }
        let [neg, pos] = self.classes.clone();
        for_each_leaf(neg.clone(), map, |leaf, _| middles[leaf] += 1);
        for_each_leaf(pos.clone(), map, |leaf, _| ends[leaf] += 1);
        let mut start = 0;
        for (middle, end) in middles.iter_mut().zip(ends.iter_mut()) {
            // Where both classes start, for now.
            let (n_neg, n_pos) = (*middle, *end);
            (*middle, *end) = (start, start + n_neg);
            start += n_neg + n_pos;
        }
        let mut target = 0;
        let mut put = |cursors: &mut [u32], leaf: usize, lane| {
            let to = cursors[leaf] as usize;
            (lanes[to], targets[to]) = (lane, target);
            cursors[leaf] += 1;
            target += 1;
        };
        for_each_leaf(neg, map, |leaf, lane| put(middles, leaf, lane));
        for_each_leaf(pos, map, |leaf, lane| put(ends, leaf, lane));
    }

    #[inline(always)]
    fn leaves<I: Isa>(&mut self) {
        let (mut start, mut neg_below) = (0, 0);
        let [of_neg, of_pos] = self.rules;
        for leaf in 0..self.room.ends.len() {
            let middle = self.room.middles[leaf] as usize;
            let end = self.room.ends[leaf] as usize;
            let rules = [of_neg.beyond(start - neg_below), of_pos.beyond(neg_below)];
            let (neg, pos) = (start..middle, middle..end);
            neg_below += neg.len();
            if too_many_pairs(neg.len(), pos.len()) {
                let Room {
                    lanes,
                    targets,
                    order,
                    ..
                } = &mut *self.room;
                order.clear();
                order.extend((start..end).map(|row| (lanes[row], targets[row])));
                self.sorted(rules);
            } else {
                self.compared::<I>(neg.clone(), pos.clone(), rules[0]);
                self.compared::<I>(pos, neg, rules[1]);
            }
            start = end;
        }
    }

    /// Places the rows of one class by comparing them with the others.
    #[inline(always)]
    fn compared<I: Isa>(&mut self, rows: Range<usize>, others: Range<usize>, rule: Rule) {
        let (lanes, targets) = (&self.room.lanes[..], &self.room.targets[..]);
        for start in rows.clone().step_by(LANES) {
            let group = std::array::from_fn(|i| lanes[start + i]);
            let [below, up_to] = L::below_and_up_to::<I>(group, &lanes[others.clone()]);
            let twice = as_places(std::array::from_fn(|i| below[i] + up_to[i]));
            for i in 0..LANES.min(rows.end - start) {
                let place = rule.place(twice[i] as u64);
                self.places[targets[start + i] as usize] = T::of(place);
            }
        }
    }

    /// Places the rows in `order` by sorting them.
    #[inline(never)]
    fn sorted(&mut self, [of_neg, of_pos]: [Rule; 2]) {
        let order = &mut self.room.order;
        order.sort_unstable_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        let is_neg = |target: u32| (target as usize) < self.n_neg;
        let (mut neg_below, mut pos_below) = (0, 0);
        for ties in order.chunk_by(|a, b| a.0 == b.0) {
            let n_neg = ties.iter().filter(|tied| is_neg(tied.1)).count() as u64;
            let n_pos = ties.len() as u64 - n_neg;
            let neg = T::of(of_neg.place(2 * pos_below + n_pos));
            let pos = T::of(of_pos.place(2 * neg_below + n_neg));
            for &(_, target) in ties {
                self.places[target as usize] = if is_neg(target) { neg } else { pos };
            }
            neg_below += n_neg;
            pos_below += n_pos;
        }
    }
}

/// Whether comparing all pairs would take longer than sorting.
#[inline(always)]
fn too_many_pairs(neg: usize, pos: usize) -> bool {
    const WORTH: u128 = 64; // comparisons that cost as much as a row's share of sorting
    let (neg, pos) = (neg as u128, pos as u128);
    neg * pos > WORTH * (neg + pos)
}

/// The way back to the rows of one part.
struct Back<'a, T> {
    by_stream: &'a [T],
    cursors: Box<[usize; MOST_STREAMS]>,
    of_cell: &'a BucketOfCell,
}

impl<T: Place> Back<'_, T> {
    fn lead<S: Score>(
        mut self,
        part: Part<'_, S>,
        places: &mut [T],
        map: &Map<S::Lane>,
        call: &Call,
    ) -> Result<()> {
        let mut rest = places;
        for (scores, positive) in part.strides() {
            call.check()?;
            let (places, others) = std::mem::take(&mut rest).split_at_mut(scores.len());
            rest = others;
            match map {
                Map::Single(map) => self.lead_by(scores, positive, places, *map),
                Map::Affine(map) => self.lead_by(scores, positive, places, *map),
                Map::Bits(map) => self.lead_by(scores, positive, places, *map),
                Map::Splitters(sorted) => {
                    self.lead_by(scores, positive, places, Splitters::new(sorted));
                }
            }
        }
        Ok(())
    }

    fn lead_by<S: Score>(
        &mut self,
        scores: &[S],
        positive: &[u8],
        places: &mut [T],
        cells: impl Cells<S::Lane>,
    ) {
        dispatch(Stretch {
            scores,
            positive,
            places,
            cells,
            back: self,
        });
    }
}

struct Stretch<'w, 'a, S, T, C> {
    scores: &'w [S],
    positive: &'w [u8],
    places: &'w mut [T],
    cells: C,
    back: &'w mut Back<'a, T>,
}

impl<S: Score, T: Place, C: Cells<S::Lane>> Job for Stretch<'_, '_, S, T, C> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Back {
            by_stream,
            cursors,
            of_cell,
        } = self.back;
        let labels = self.positive.chunks(TOGETHER);
        let places = self.places.chunks_mut(TOGETHER);
        for ((scores, positive), places) in self.scores.chunks(TOGETHER).zip(labels).zip(places) {
            let mut cell = [0; TOGETHER];
            for (cell, score) in cell.iter_mut().zip(scores) {
                *cell = self.cells.cell(score.lane());
            }
            for ((place, &positive), &cell) in places.iter_mut().zip(positive).zip(&cell) {
                let bucket = usize::from(of_cell[cell as usize % CELLS]);
                let cursor = &mut cursors[(2 * bucket + usize::from(positive != 0)) % MOST_STREAMS];
                *place = by_stream[*cursor];
                *cursor += 1;
            }
        }
    }
}
