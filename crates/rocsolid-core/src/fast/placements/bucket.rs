//! The placements of one bucket's rows: spread over leaves, where every row is compared with the other class.

use std::ops::Range;

use super::Place;
use crate::fast::bucket::{extent, for_each_leaf, MOST_SPREAD};
use crate::fast::compare::{as_places, Compare};
use crate::fast::isa::{Isa, Job};
use crate::fast::lane::Lane;
use crate::fast::map::Affine;
use crate::fast::precision::LANES;

/// Rows that a leaf holds on average.
const ROWS_PER_LEAF: usize = 10;

/// From rows of the other class below a row to its placement: `base + twice` or `base - twice`.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    base: u64,
    sign: u64,
}

impl Rule {
    /// `below` rows of the other class lie below all of those that the rule is for, of `all`.
    pub fn new(below: u64, all: u64, rising: bool) -> Self {
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

/// What a thread keeps from bucket to bucket: scores by leaf, and where their placements go.
#[derive(Default)]
pub(super) struct Room<L> {
    lanes: Vec<L>,
    targets: Vec<u32>,
    middles: Vec<u32>,
    ends: Vec<u32>,
    order: Vec<(L, u32)>,
}

impl<L: Lane> Room<L> {
    /// Places for so many rows, and a last group of lanes.
    pub fn reserve(&mut self, rows: usize) {
        let need = self.lanes.len().max(rows + LANES);
        self.lanes.resize(need, L::default());
        self.targets.resize(need, 0);
    }
}

/// One bucket: its negatives and positives in pieces, and the places of both in this order.
pub(super) struct Bucket<'w, L, P, T> {
    pub classes: [P; 2],
    pub n_neg: usize,
    pub rules: [Rule; 2],
    pub room: &'w mut Room<L>,
    pub places: &'w mut [T],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_count_from_either_end() {
        // Of ten others three lie below a bucket, two more below a leaf, and one and a tie below a row of it.
        let rising = Rule::new(3, 10, true).beyond(2).place(3);
        let falling = Rule::new(3, 10, false).beyond(2).place(3);
        assert_eq!((rising, falling), (2 * 6 + 1, 2 * 3 + 1));
    }
}
