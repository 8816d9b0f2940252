//! The smallest step: a few positives and negatives, every pair compared.
//!
//! For a positive `p` all that is wanted are three counts: negatives below it, negatives up to it, positives below it.
//! With sixteen rows in a leaf, comparing all pairs with vector instructions is faster than any sorting, takes no
//! branch, and treats ties as they come: nothing is ever put in order.

use std::ops::{Add, AddAssign};

use super::compare::{Compare, Each, STEP};
use super::isa::Isa;
use super::lane::Lane;
use super::precision::{PrecisionLanes, LANES};
use crate::dd::Dd;

/// Rows outside of a piece of the data that its own rows are counted against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    /// Positives with a higher score.
    pub pos_above: u64,
    /// Negatives with a higher score.
    pub neg_above: u64,
    /// Negatives with a lower score.
    pub neg_below: u64,
}

impl Add for Outside {
    type Output = Outside;

    /// What lies outside of a part of a piece: in the piece, and outside of it.
    fn add(self, piece: Outside) -> Outside {
        Outside {
            pos_above: self.pos_above + piece.pos_above,
            neg_above: self.neg_above + piece.neg_above,
            neg_below: self.neg_below + piece.neg_below,
        }
    }
}

/// What the positives of a piece of the data contribute to both areas.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    /// Over the positives: twice the negatives below, once those tied. It fits: at most twice the rows squared, and
    /// rows that lie in memory have numbers of fewer than 61 bits.
    twice: u128,
    /// The part of it that leaves found inside of themselves: at most 128 times the rows, so exact in a float.
    twice_inside: Each,
    /// The precision at each positive, summed.
    lanes: PrecisionLanes,
    rest: Dd,
}

impl Sums {
    /// `count` positives that share the precision `true_pos / predicted`.
    #[inline(always)]
    fn add_ties(&mut self, count: u64, true_pos: u64, predicted: u64) {
        self.rest += Dd::from(count) * (Dd::from(true_pos) / Dd::from(predicted));
    }

    /// Twice U, of these positives.
    pub fn twice(&self) -> u128 {
        self.twice
            + self
                .twice_inside
                .iter()
                .map(|&twice| twice as u128)
                .sum::<u128>()
    }

    /// All positives and negatives share one score.
    pub fn add_one_tie(&mut self, n_pos: u64, n_neg: u64, outside: Outside) {
        let placement = 2 * u128::from(outside.neg_below) + u128::from(n_neg);
        self.twice += u128::from(n_pos) * placement;
        let true_pos = outside.pos_above + n_pos;
        self.add_ties(n_pos, true_pos, true_pos + outside.neg_above + n_neg);
    }

    /// The summed precision.
    pub fn precision(&self) -> Dd {
        self.lanes.total() + self.rest
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, part: Sums) {
        self.twice += part.twice();
        self.rest += part.precision();
    }
}

/// Whether comparing all pairs would take longer than sorting.
#[inline(always)]
pub(crate) fn too_many_pairs(pos: usize, neg: usize) -> bool {
    const WORTH: u64 = 128; // comparisons that cost as much as a row's share of sorting
    let (pos, neg) = (pos as u64, neg as u64);
    pos.saturating_mul(pos + 2 * neg) > WORTH * (pos + neg)
}

/// Compares all pairs. The positives are the first `n_pos` of `pos`, which has at least `LANES - 1` more places, and
/// the negatives the first `n_neg` of `neg`. What follows them is above all of these or, behind `all_pos` positives,
/// anything at all.
#[inline(always)]
pub(crate) fn compare_pairs<L: Compare, I: Isa>(
    [pos, neg]: [&[L]; 2],
    [n_pos, n_neg]: [usize; 2],
    all_pos: usize,
    outside: Outside,
    sums: &mut Sums,
) {
    let highest_true = (outside.pos_above + n_pos as u64) as f64;
    let highest_false = (outside.neg_above + n_neg as u64) as f64;
    // Scores above are below nothing here, so they may be compared too, up to a number that is easier to count to.
    let others_pos = &pos[..n_pos.next_multiple_of(STEP).min(all_pos)];
    let others_neg = &neg[..n_neg.next_multiple_of(STEP).min(neg.len())];
    for start in (0..n_pos).step_by(LANES) {
        let group: [L; LANES] = std::array::from_fn(|i| pos[start + i]);
        let pos_below = L::below::<I>(group, others_pos);
        let [neg_below, neg_up_to] = L::below_and_up_to::<I>(group, others_neg);
        let live = (n_pos - start) as f64;
        let (mut true_pos, mut predicted) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            let live = f64::from(u8::from(PLACES[i] < live));
            let at_or_above = highest_true - pos_below[i];
            let selected = at_or_above + (highest_false - neg_below[i]);
            // A spare lane contributes 0 / 1.
            true_pos[i] = at_or_above * live;
            predicted[i] = selected * live + (1.0 - live);
            sums.twice_inside[i] += (neg_below[i] + neg_up_to[i]) * live;
        }
        sums.lanes.add::<I>(true_pos, predicted);
    }
    sums.twice += 2 * (n_pos as u128) * u128::from(outside.neg_below);
}

/// The places of a group's lanes.
const PLACES: Each = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The same by sorting both classes and walking them upwards; for leaves with too many pairs.
pub(crate) fn sort_and_merge<L: Lane>(
    pos: &mut [L],
    neg: &mut [L],
    outside: Outside,
    sums: &mut Sums,
) {
    sort(pos);
    sort(neg);
    let (n_pos, n_neg) = (pos.len() as u64, neg.len() as u64);
    let (mut pos_below, mut neg_below) = (0u64, 0usize);
    for ties in pos.chunk_by(|a, b| a == b) {
        let (count, score) = (ties.len() as u64, ties[0]);
        neg_below += neg[neg_below..].iter().take_while(|&&n| n < score).count();
        let tied = neg[neg_below..].iter().take_while(|&&n| n == score).count() as u64;
        let below = neg_below as u64;
        let true_pos = outside.pos_above + (n_pos - pos_below);
        let predicted = true_pos + outside.neg_above + (n_neg - below);
        let placement = 2 * u128::from(outside.neg_below + below) + u128::from(tied);
        sums.twice += u128::from(count) * placement;
        sums.add_ties(count, true_pos, predicted);
        pos_below += count;
    }
}

pub(crate) fn sort<L: Lane>(lanes: &mut [L]) {
    lanes.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
}

#[cfg(test)]
mod tests {
    use super::super::isa::{dispatch, tests::BASELINE_ONLY, Job};
    use super::*;
    use crate::testing::Rng;

    struct Pairs<'a>([&'a [f64]; 2], [usize; 2], usize, Outside);

    impl Job for Pairs<'_> {
        type Output = Sums;

        #[inline(always)]
        fn run<I: Isa>(self) -> Sums {
            let mut sums = Sums::default();
            compare_pairs::<f64, I>(self.0, self.1, self.2, self.3, &mut sums);
            sums
        }
    }

    #[test]
    fn pairs_and_sorting_agree() {
        let mut rng = Rng::new(31);
        for round in 0..if cfg!(miri) { 30 } else { 3000 } {
            let (a, b, distinct) = (
                rng.below(20) as usize,
                rng.below(20) as usize,
                1 + rng.below(12),
            );
            let mut draw = |n: usize| -> Vec<f64> {
                (0..n).map(|_| rng.below(distinct) as f64 - 3.0).collect()
            };
            let (mut pos, mut neg) = (draw(a), draw(b));
            let outside = Outside {
                pos_above: draw(1)[0].abs() as u64,
                neg_above: 5,
                neg_below: 7,
            };
            // Behind them the rows of a higher leaf, and then spare places.
            let (higher, spare) = (round % 11, vec![f64::NAN; LANES]);
            pos.resize(a + higher, 1e9);
            neg.resize(b + round % 7, 1e9);
            pos.extend(spare);
            BASELINE_ONLY.with(|only| only.set(round % 2 == 0));
            let pairs = dispatch(Pairs([&pos, &neg], [a, b], a + higher, outside));
            BASELINE_ONLY.with(|only| only.set(false));
            let mut sorted = Sums::default();
            sort_and_merge(&mut pos[..a], &mut neg[..b], outside, &mut sorted);
            assert_eq!(pairs.twice(), sorted.twice());
            assert_eq!(pairs.precision().to_f64(), sorted.precision().to_f64());
        }
    }

    #[test]
    fn pairs_stay_linear() {
        assert!(!too_many_pairs(1, 1 << 40) && !too_many_pairs(0, 9) && !too_many_pairs(16, 16));
        assert!(too_many_pairs(200, 200) && too_many_pairs(1 << 30, 1 << 30));
    }
}
