//! Weights as whole numbers of a common unit.
//!
//! A float is a whole number of units in its last place. So weights are whole numbers of the smallest such unit among
//! them, and their sums are exact integers, unless they are so far apart that an integer would be too long. Then they
//! have no unit, and floats are added up instead (see [`crate::exact`]).

use crate::error::{Error, Result};

/// Bits that the sum of all weights may have: two limbs.
pub(crate) const SUM: u32 = 2 * LIMB;
/// Bits of a limb: as many as a float holds and an integer can be read off it at once.
pub(crate) const LIMB: u32 = 52;

/// `2^52`: beside it the last place of a float is one.
const ONES: f64 = 4_503_599_627_370_496.0;
/// The same for numbers of either sign.
const SIGNED_ONES: f64 = 1.5 * ONES;

/// The lightest weight above zero, and about what all weigh together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    lightest: f64,
    sum: f64,
}

impl Range {
    /// Nothing yet.
    pub const NONE: Range = Range {
        lightest: f64::INFINITY,
        sum: 0.0,
    };

    /// [`Error::Weight`] unless all are finite and none is negative.
    #[inline(always)]
    pub fn of(weights: &[f64]) -> Result<Self> {
        const TOGETHER: usize = 16;
        let (mut low, mut sum) = ([f64::INFINITY; TOGETHER], [0.0; TOGETHER]);
        let mut usable = [true; TOGETHER];
        let mut look = |i: usize, weight: f64| {
            let counted = if weight > 0.0 { weight } else { f64::INFINITY };
            low[i] = if counted < low[i] { counted } else { low[i] };
            usable[i] &= (0.0..f64::INFINITY).contains(&weight);
            sum[i] += weight;
        };
        let mut strips = weights.chunks_exact(TOGETHER);
        for strip in &mut strips {
            for (i, &weight) in strip.iter().enumerate() {
                look(i, weight);
            }
        }
        strips
            .remainder()
            .iter()
            .for_each(|&weight| look(0, weight));
        let range = Range {
            lightest: low.into_iter().fold(f64::INFINITY, f64::min),
            sum: sum.into_iter().sum(),
        };
        let usable = usable.into_iter().all(|usable| usable);
        usable.then_some(range).ok_or(Error::Weight)
    }

    /// Of all weights of both.
    pub fn and(self, other: Range) -> Range {
        Range {
            lightest: self.lightest.min(other.lightest),
            sum: self.sum + other.sum,
        }
    }
}

/// The exponent of the last place of a number above zero.
fn last_place(x: f64) -> i32 {
    ((x.to_bits() >> 52) as i32).max(1) - 1075
}

/// The exponent of the lowest bit that is set in a number above zero.
pub(crate) fn lowest_bit(x: f64) -> i32 {
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    let hidden = u64::from(x.to_bits() >> 52 != 0) << 52;
    last_place(x) + (mantissa | hidden).trailing_zeros() as i32
}

/// A power of two that all weights are whole multiples of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    /// `1 / unit` as a product of two, either of which is a float.
    inverse: [f64; 2],
}

impl Unit {
    /// `2^exponent`, for an exponent of any float.
    pub fn new(exponent: i32) -> Self {
        let half = -exponent / 2;
        Unit {
            inverse: [2f64.powi(half), 2f64.powi(-exponent - half)],
        }
    }

    /// A unit for weights in a range, or `None` if their sum may have more than [`SUM`] bits.
    pub fn of(range: Range) -> Option<Self> {
        const ROUNDED_OFF: f64 = 1.0 + 1e-4; // 2^-53 for each of fewer than 2^39 rows: more than a thousandth fits
        if range.sum == 0.0 {
            return Some(Unit::new(0));
        }
        let (unit, sum) = (last_place(range.lightest), range.sum * ROUNDED_OFF);
        let fits = sum.is_finite() && last_place(sum) + 53 - unit <= SUM as i32;
        fits.then(|| Unit::new(unit))
    }

    /// So many units, a whole number below `2^104`, as `low + high * 2^52`. `low` may be negative.
    #[inline(always)]
    pub fn limbs(self, weight: f64) -> [i64; 2] {
        let units = weight * self.inverse[0] * self.inverse[1];
        let beside = units / ONES + ONES; // rounded to whole multiples of 2^52
        let rest = units - (beside - ONES) * ONES;
        [
            (rest + SIGNED_ONES).to_bits() as i64 - SIGNED_ONES.to_bits() as i64,
            beside.to_bits() as i64 - ONES.to_bits() as i64,
        ]
    }

    /// So many units, if they are a whole number below `2^104`.
    pub fn whole(self, number: f64) -> Option<i128> {
        let units = number * self.inverse[0] * self.inverse[1];
        let fits = units.abs() < 2f64.powi(SUM as i32);
        fits.then_some(units as i128)
    }
}

/// The number with these limbs.
#[inline]
pub(crate) fn whole([low, high]: [i64; 2]) -> i128 {
    (i128::from(high) << LIMB) + i128::from(low)
}

/// Limbs of a number that is not negative, both from 0 to `2^52 - 1`, from limbs below `2^61` of either sign.
#[inline(always)]
pub(crate) fn canonical([low, high]: [i64; 2]) -> [i64; 2] {
    const BIAS: i64 = 1 << 62;
    let biased = (low + BIAS) as u64; // so that a shift without a sign will do
    let carry = (biased >> LIMB) as i64 - (BIAS >> LIMB);
    [(biased & ((1 << LIMB) - 1)) as i64, high + carry]
}

/// Canonical limbs of an integer below `2^104`.
#[inline]
pub(crate) fn limbs(whole: u128) -> [i64; 2] {
    [(whole & ((1 << LIMB) - 1)) as i64, (whole >> LIMB) as i64]
}

/// A canonical limb as a float.
#[inline(always)]
pub(crate) fn float_of(limb: i64) -> f64 {
    f64::from_bits(limb as u64 | ONES.to_bits()) - ONES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    /// A weight whose bits lie within `2^low .. 2^(low + bits)`.
    fn weight(rng: &mut Rng, low: i32, bits: u32) -> (f64, u128) {
        let mantissa = rng.next() >> (11 + rng.below(53));
        let room = u64::from(bits.saturating_sub(64 - mantissa.leading_zeros()) + 1);
        let shift = rng.below(room) as u32;
        let scaled = mantissa as f64 * 2f64.powi(shift as i32) * 2f64.powi(low / 2);
        (
            scaled * 2f64.powi(low - low / 2),
            u128::from(mantissa) << shift,
        )
    }

    #[test]
    fn limbs_are_the_weight() {
        let mut rng = Rng::new(83);
        for low in [-1074, -1000, -600, -53, 0, 300, 860] {
            let unit = Unit::new(low);
            for _ in 0..2000 {
                let (float, exact) = weight(&mut rng, low, SUM);
                assert_eq!(whole(unit.limbs(float)), exact as i128);
                assert_eq!(unit.whole(float), Some(exact as i128));
                assert!(exact == 0 || lowest_bit(float) == low + exact.trailing_zeros() as i32);
                let [small, large] = canonical(unit.limbs(float));
                assert_eq!([small, large], limbs(exact));
                assert_eq!(float_of(small) as i64, small);
            }
        }
        assert_eq!(Unit::new(0).whole(2f64.powi(SUM as i32)), None);
    }

    #[test]
    fn limbs_of_either_sign_become_canonical() {
        let mut rng = Rng::new(84);
        for _ in 0..5000 {
            let high = 1 + (rng.next() >> 13) as i64;
            let low = (rng.next() as i64) >> (3 + rng.below(60));
            let sum = whole([low, high.max(1 << 12)]);
            assert_eq!(canonical([low, high.max(1 << 12)]), limbs(sum as u128));
        }
    }

    #[test]
    fn a_unit_suits_what_is_close_together() {
        let of = |weights: &[f64]| Range::of(weights).map(|range| Unit::of(range).is_some());
        assert_eq!(of(&[]), Ok(true));
        assert_eq!(of(&[0.0, -0.0]), Ok(true));
        assert_eq!(of(&[1e-7, 16.0, 0.0]), Ok(true));
        assert_eq!(of(&[f64::from_bits(1), f64::MIN_POSITIVE]), Ok(true));
        assert_eq!(of(&[1.0, 2f64.powi(51)]), Ok(true));
        assert_eq!(of(&[1.0, 2f64.powi(52)]), Ok(false));
        assert_eq!(of(&[1e-300, 1.0]), Ok(false));
        assert_eq!(of(&[f64::MAX, f64::MAX]), Ok(false)); // their sum is no float
        for bad in [f64::NAN, -1.0, f64::INFINITY, -f64::from_bits(1)] {
            for place in [0, 7, 16, 39] {
                let mut weights = [1.0; 40];
                weights[place] = bad;
                assert_eq!(of(&weights), Err(Error::Weight));
            }
        }
    }
}
