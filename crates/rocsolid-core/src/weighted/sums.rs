//! Both areas as sums over positives, in integers.
//!
//! With `W` for sums of weights, and above, for a positive `p`, counting those with a higher score:
//!
//! ```text
//! 2 (WP WN - U) = sum_p w_p (2 WN above + WN tied)
//! AP WP         = sum_p w_p WP at or above / (WP at or above + WN at or above)
//! ```
//!
//! The first is an integer. In the second the share, which is the same for all positives of one score, is cut off at
//! `2^-101`, so the sum is one of integers again: no order of its terms, and no division of tied positives, can matter.

use super::units::{canonical, float_of, limbs, LIMB};
use super::wide::Wide;
use crate::fast::isa::{Baseline, Isa};
use crate::fast::precision::remainder;

/// Positives handled together: two vectors of four.
pub(crate) const LANES: usize = 8;
/// Places of a share: its limbs are multiples of `2^-52` and of `2^-101`.
const SHARE: u32 = LIMB + SHARE_LOW;
const SHARE_LOW: u32 = 49;
/// Positives weigh at least `2^-40` of all rows, or a share has too few places. The average precision is at least half
/// of that, so what is cut off is less than `2^-59` of it.
const RAREST: u32 = 40;
/// Products that a sum takes before it could leave 128 bits.
const MOST_PENDING: u32 = 1 << 14;

/// A pair of limbs for each of some numbers.
pub(crate) type Limbs = [[i64; LANES]; 2];

/// A sum of products of numbers with two limbs each.
#[derive(Clone, Copy, Default)]
struct Products {
    pending: [[i128; 2]; 2],
    settled: Wide,
}

impl Products {
    #[inline(always)]
    fn add(&mut self, a: [i64; 2], b: [i64; 2]) {
        for (sums, a) in self.pending.iter_mut().zip(a) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += i128::from(a) * i128::from(b);
            }
        }
    }

    /// Settles what is pending; the high limbs count `2^52` and `2^of_b`.
    fn settle(&mut self, of_b: u32) {
        let [low, high] = std::mem::take(&mut self.pending);
        self.settled = self.settled
            + Wide::shifted(low[0], 0)
            + Wide::shifted(low[1], of_b)
            + Wide::shifted(high[0], LIMB)
            + Wide::shifted(high[1], LIMB + of_b);
    }
}

/// What some of the positives contribute to both areas.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    /// The sum of `w_p (2 WN above + WN tied)`.
    discordant: Products,
    /// The sum of `w_p` times the share.
    precision: Products,
    pending: u32,
}

/// Sums of weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Masses {
    pub pos: u128,
    pub neg: u128,
}

impl Masses {
    /// Both together.
    pub fn and(self, other: Masses) -> Masses {
        Masses {
            pos: self.pos + other.pos,
            neg: self.neg + other.neg,
        }
    }

    /// Whether positives weigh enough beside all rows for a share to be precise enough.
    pub fn balanced(self) -> bool {
        Wide::product(self.pos, 1 << RAREST) >= Wide::product(self.pos + self.neg, 1)
    }
}

impl Sums {
    /// A positive, given its weight, `2 WN above + WN tied` and its share, in limbs.
    #[inline(always)]
    pub fn add(&mut self, weight: [i64; 2], discordant: [i64; 2], share: [i64; 2]) {
        self.discordant.add(weight, discordant);
        self.precision.add(weight, share);
    }

    /// To be called after so many positives, of fewer than `2^13`.
    #[inline(always)]
    pub fn added(&mut self, positives: usize) {
        self.pending += positives as u32;
        if self.pending > MOST_PENDING {
            self.settle();
        }
    }

    /// Rows that share one score, below others.
    pub fn add_ties(&mut self, tied: Masses, above: Masses) {
        if tied.pos > 0 {
            let part = [limbs(above.pos + tied.pos); LANES];
            let whole = [limbs(above.pos + above.neg + tied.pos + tied.neg); LANES];
            let across = |of: [[i64; 2]; LANES]| [0, 1].map(|limb| of.map(|limbs| limbs[limb]));
            let [low, high] = shares::<Baseline>(across(part), across(whole));
            let discordant = 2 * above.neg + tied.neg;
            self.add(limbs(tied.pos), limbs(discordant), [low[0], high[0]]);
            self.added(1);
        }
    }

    fn settle(&mut self) {
        self.discordant.settle(LIMB);
        self.precision.settle(SHARE_LOW);
        self.pending = 0;
    }

    /// Both together.
    pub fn and(mut self, mut other: Sums) -> Sums {
        self.settle();
        other.settle();
        self.discordant.settled = self.discordant.settled + other.discordant.settled;
        self.precision.settled = self.precision.settled + other.precision.settled;
        self
    }

    /// The ROC area, correctly rounded, and the average precision, to within an ulp, of all rows; NaN where undefined.
    pub fn areas(mut self, all: Masses) -> (f64, f64) {
        self.settle();
        let pairs = Wide::product(2 * all.pos, all.neg);
        let auc = (pairs - self.discordant.settled).share_of(pairs);
        let ap = self
            .precision
            .settled
            .share_of(Wide::product(all.pos, 1 << SHARE));
        (auc, ap)
    }
}

/// `part / whole` in each lane, rounded to whole multiples of `2^-101` by the same steps on every processor: the limbs
/// count `2^-101` and `2^-52`. Limbs are canonical, and `0 < part <= whole`.
#[inline(always)]
pub(crate) fn shares<I: Isa>(part: Limbs, whole: Limbs) -> Limbs {
    const ONES: f64 = 4_503_599_627_370_496.0; // 2^52
    const SIGNED_ONES: f64 = 1.5 * ONES;
    const LOW: f64 = (1u64 << SHARE_LOW) as f64;
    let mut out = [[0; LANES]; 2];
    for i in 0..LANES {
        let (part, part_rest) = rounded([part[0][i], part[1][i]]);
        let (whole, whole_rest) = rounded([whole[0][i], whole[1][i]]);
        // Long division: a quotient of floats, and the quotient of what it leaves.
        let inverse = 1.0 / whole;
        let quotient = part * inverse;
        let left = remainder::<I>(part, quotient, whole) + (part_rest - quotient * whole_rest);
        // Read off in whole numbers of 2^-52, then of 2^-101.
        let scaled = quotient * ONES;
        let beside = scaled + ONES;
        let rest = (scaled - (beside - ONES)) + left * inverse * ONES;
        out[0][i] = (rest * LOW + SIGNED_ONES).to_bits() as i64 - SIGNED_ONES.to_bits() as i64;
        out[1][i] = beside.to_bits() as i64 - ONES.to_bits() as i64;
    }
    out
}

/// The number with these canonical limbs, rounded, and what that leaves.
#[inline(always)]
fn rounded([low, high]: [i64; 2]) -> (f64, f64) {
    const HIGH: f64 = (1u64 << LIMB) as f64;
    let (low, high) = (float_of(low), float_of(high) * HIGH);
    let sum = high + low;
    (sum, low - (sum - high)) // exact: `high` is zero or larger than `low`
}

/// The sums of two numbers in each lane, canonical if both are.
#[inline(always)]
pub(crate) fn plus(a: Limbs, b: Limbs) -> Limbs {
    let mut out = [[0; LANES]; 2];
    for i in 0..LANES {
        [out[0][i], out[1][i]] = canonical([a[0][i] + b[0][i], a[1][i] + b[1][i]]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::isa::{dispatch, tests::BASELINE_ONLY, Job};
    use crate::testing::Rng;

    struct Shares(Limbs, Limbs);

    impl Job for Shares {
        type Output = Limbs;

        #[inline(always)]
        fn run<I: Isa>(self) -> Limbs {
            shares::<I>(self.0, self.1)
        }
    }

    fn across(of: [u128; LANES]) -> Limbs {
        [0, 1].map(|limb| of.map(|x| limbs(x)[limb]))
    }

    #[test]
    fn shares_are_quotients_to_their_last_places() {
        let mut rng = Rng::new(85);
        let mut draw =
            || (u128::from(rng.next()) << 64 | u128::from(rng.next())) >> (24 + rng.below(104));
        for round in 0..5000 {
            let whole: [u128; LANES] = std::array::from_fn(|_| draw().max(1));
            let part = whole.map(|whole| {
                if round % 7 == 0 {
                    whole
                } else {
                    draw() % whole + 1
                }
            });
            let found = dispatch(Shares(across(part), across(whole)));
            BASELINE_ONLY.with(|only| only.set(true));
            assert_eq!(dispatch(Shares(across(part), across(whole))), found);
            BASELINE_ONLY.with(|only| only.set(false));
            for i in 0..LANES {
                // |share * whole - part * 2^101| is a few wholes.
                let share = (i128::from(found[1][i]) << SHARE_LOW) + i128::from(found[0][i]);
                let (a, b) = (
                    Wide::product(share as u128, whole[i]),
                    Wide::product(part[i], 1 << SHARE),
                );
                let off = if a > b { a - b } else { b - a };
                assert!(
                    off <= Wide::product(whole[i], 4),
                    "{} / {}",
                    part[i],
                    whole[i]
                );
            }
        }
    }

    #[test]
    fn ties_may_be_added_apart() {
        // A positive at a time, given the share of all, is what the tied ones are together.
        let (tied, above) = (
            Masses {
                pos: 7 << 60,
                neg: 3 << 70,
            },
            Masses {
                pos: 5 << 80,
                neg: 9,
            },
        );
        let mut together = Sums::default();
        together.add_ties(tied, above);
        let part = across([above.pos + tied.pos; LANES]);
        let whole = across([above.pos + above.neg + tied.pos + tied.neg; LANES]);
        let [low, high] = shares::<Baseline>(part, whole);
        let mut apart = Sums::default();
        for weight in [1 << 60, 2 << 60, 4 << 60] {
            apart.add(
                limbs(weight),
                limbs(2 * above.neg + tied.neg),
                [low[0], high[0]],
            );
            apart.added(1);
        }
        let all = above.and(tied);
        assert_eq!(together.areas(all), Sums::default().and(apart).areas(all));
    }

    #[test]
    fn long_sums_settle() {
        let (most, mut sums, mut all) = (1u128 << 90, Sums::default(), Masses::default());
        let rounds = 3 * u128::from(MOST_PENDING);
        for _ in 0..rounds {
            // A pair that is tied, below all before.
            let tied = Masses {
                pos: most / rounds,
                neg: most / rounds,
            };
            sums.add_ties(tied, all);
            all = all.and(tied);
        }
        assert_eq!(sums.areas(all).0, 0.5);
        assert_eq!(sums.areas(all).1, 0.5);
    }

    #[test]
    fn positives_that_hardly_weigh_have_no_share() {
        assert!(Masses {
            pos: 1,
            neg: (1 << 40) - 1
        }
        .balanced());
        assert!(!Masses {
            pos: 1,
            neg: 1 << 40
        }
        .balanced());
    }
}
