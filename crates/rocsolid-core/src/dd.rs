//! Double-double numbers: an unevaluated sum of two floats, about 106 bits.
//!
//! For sums of many quotients that should be rounded only once, at the end. Each operation errs by a few `2^-104`
//! relatively, so even `2^40` terms stay far below the half ulp, `2^-53`, of the final rounding. Addition is the
//! short form that assumes equal signs; everything summed here is a count, a weight or a ratio of them.

use std::ops::{Add, AddAssign, Div, Mul, Neg};

use crate::exact::{two_prod, two_sum};

/// `hi + lo`, with `hi` the sum rounded to a float.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

impl Dd {
    /// Zero.
    pub const ZERO: Dd = Dd { hi: 0.0, lo: 0.0 };

    /// `hi + lo`, where `|lo|` is at most half an ulp of `hi`.
    #[inline]
    pub fn new(hi: f64, lo: f64) -> Self {
        Dd { hi, lo }
    }

    /// Both floats, the larger one first.
    #[inline]
    pub(crate) fn parts(self) -> [f64; 2] {
        [self.hi, self.lo]
    }

    /// The number rounded to a float.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.hi + self.lo
    }

    /// Half of it, exactly.
    #[inline]
    pub fn half(self) -> Self {
        Dd::new(self.hi / 2.0, self.lo / 2.0)
    }

    /// `hi + lo` for any two numbers.
    #[inline]
    pub(crate) fn normal(hi: f64, lo: f64) -> Self {
        let (sum, error) = two_sum(hi, lo);
        Dd::new(sum, error)
    }

    /// Restores the invariant after an operation whose `|hi| >= |lo|`.
    #[inline]
    fn renormalised(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        Dd::new(sum, lo - (sum - hi))
    }
}

impl From<u64> for Dd {
    /// Exact: 64 bits fit into two floats.
    #[inline]
    fn from(n: u64) -> Self {
        const TWO_TO_32: f64 = 4_294_967_296.0;
        let (high, low) = ((n >> 32) as u32, n as u32);
        Dd::renormalised(f64::from(high) * TWO_TO_32, f64::from(low))
    }
}

impl Add for Dd {
    type Output = Dd;

    #[inline]
    fn add(self, other: Dd) -> Dd {
        let (sum, error) = two_sum(self.hi, other.hi);
        Dd::renormalised(sum, error + (self.lo + other.lo))
    }
}

impl Neg for Dd {
    type Output = Dd;

    /// Exact. A sum of numbers of both signs is good to 2^-104 of the numbers, not of itself.
    #[inline]
    fn neg(self) -> Dd {
        Dd::new(-self.hi, -self.lo)
    }
}

impl AddAssign for Dd {
    #[inline]
    fn add_assign(&mut self, other: Dd) {
        *self = *self + other;
    }
}

impl Mul for Dd {
    type Output = Dd;

    #[inline]
    fn mul(self, other: Dd) -> Dd {
        let (product, error) = two_prod(self.hi, other.hi);
        Dd::renormalised(product, error + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Dd {
    type Output = Dd;

    /// One step of long division: a float quotient, and the quotient of what it leaves.
    #[inline]
    fn div(self, other: Dd) -> Dd {
        let quotient = self.hi / other.hi;
        let (product, error) = two_prod(quotient, other.hi);
        let left = (self.hi - product) - error + self.lo - quotient * other.lo;
        Dd::renormalised(quotient, left / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    impl Dd {
        /// For differences in tests; sums in earnest have one sign.
        pub(crate) fn negated(self) -> Dd {
            Dd::new(-self.hi, -self.lo)
        }
    }

    /// The number times 2^60, floored: exact integers to compare with.
    fn scaled(x: Dd) -> i128 {
        let scale = 2f64.powi(60);
        (x.hi * scale) as i128 + (x.lo * scale) as i128
    }

    #[test]
    fn integers_are_exact() {
        for n in [
            0,
            1,
            (1 << 53) + 1,
            u64::MAX,
            u64::MAX - 1,
            0x8000_0000_0000_0401,
        ] {
            let x = Dd::from(n);
            assert_eq!(x.hi as i128 + x.lo as i128, i128::from(n));
            assert_eq!(x.hi + x.lo, x.hi);
        }
    }

    #[test]
    fn arithmetic_agrees_with_integers() {
        let mut rng = Rng::new(4);
        for _ in 0..20_000 {
            let (a, b) = (rng.next() >> rng.below(60), rng.next() >> rng.below(60));
            let sum = Dd::from(a) + Dd::from(b);
            assert_eq!(
                sum.hi as i128 + sum.lo as i128,
                i128::from(a) + i128::from(b)
            );

            let product = Dd::from(a >> 12) * Dd::from(b >> 12); // at most 104 bits: exact
            assert_eq!(
                product.hi as i128 + product.lo as i128,
                i128::from(a >> 12) * i128::from(b >> 12)
            );

            let (small, large) = (a.min(b), a.max(b).max(1));
            let quotient = Dd::from(small) / Dd::from(large);
            let exact = ((i128::from(small)) << 60) / i128::from(large);
            assert!((scaled(quotient) - exact).abs() <= 2, "{small} / {large}");
        }
    }

    #[test]
    fn quotients_carry_106_bits() {
        // 1/3 times 3 is 1 up to 2^-104, where a float would already be off by 2^-54 after the division.
        let back = Dd::from(1) / Dd::from(3) * Dd::from(3);
        assert!(((back.hi - 1.0) + back.lo).abs() <= 2f64.powi(-104));
        assert_eq!(back.to_f64(), 1.0);
        assert_eq!((Dd::from(7).half()).to_f64(), 3.5);
    }
}
