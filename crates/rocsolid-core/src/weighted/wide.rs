//! Integers of 256 bits: sums of products of weights.

use std::ops::{Add, Sub};

/// Bits of a quotient before it is rounded: a float's 53, and some so that a half is told from more.
const QUOTIENT: u32 = 60;

/// An integer modulo `2^256`, the more significant half first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    /// The exact product.
    pub fn product(a: u128, b: u128) -> Self {
        let halves = |x: u128| (x >> 64, u128::from(x as u64));
        let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
        let shifted = |x: u128| Wide {
            high: x >> 64,
            low: x << 64,
        };
        let outer = Wide {
            high: a1 * b1,
            low: a0 * b0,
        };
        outer + shifted(a1 * b0) + shifted(a0 * b1)
    }

    /// `x * 2^by`, for `by < 128`.
    pub fn shifted(x: i128, by: u32) -> Self {
        // The other half of a signed number is its sign.
        let spill = if by == 0 { x >> 127 } else { x >> (128 - by) };
        Wide {
            high: spill as u128,
            low: (x as u128) << by,
        }
    }

    /// `self / whole`, correctly rounded, for `self <= whole < 2^255`. NaN if `whole` is zero.
    pub fn share_of(self, whole: Self) -> f64 {
        if whole == Wide::default() {
            return f64::NAN;
        }
        if self == Wide::default() {
            return 0.0;
        }
        // Long division by hand, until the quotient has enough bits.
        let (mut rest, mut quotient, mut exponent) = (self, 0u64, 0);
        loop {
            let fits = rest >= whole;
            quotient = quotient << 1 | u64::from(fits);
            rest = if fits { rest - whole } else { rest };
            rest = rest + rest;
            if quotient >> QUOTIENT != 0 {
                break;
            }
            exponent -= 1;
        }
        // Whatever is left makes the quotient a little more than it says, which matters only beside a half.
        let sticky = quotient | u64::from(rest != Wide::default());
        sticky as f64 * 2f64.powi(exponent)
    }
}

impl Add for Wide {
    type Output = Wide;

    #[inline]
    fn add(self, other: Wide) -> Wide {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high);
        Wide {
            high: high.wrapping_add(u128::from(carry)),
            low,
        }
    }
}

impl Sub for Wide {
    type Output = Wide;

    #[inline]
    fn sub(self, other: Wide) -> Wide {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.wrapping_sub(other.high);
        Wide {
            high: high.wrapping_sub(u128::from(borrow)),
            low,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio::share;
    use crate::testing::Rng;

    fn draw(rng: &mut Rng, bits: u64) -> u128 {
        let all = u128::from(rng.next()) << 64 | u128::from(rng.next());
        all >> (128 - rng.below(bits) as u32 - 1)
    }

    #[test]
    fn products_distribute() {
        let mut rng = Rng::new(80);
        for _ in 0..5000 {
            let (a, b) = (draw(&mut rng, 64), draw(&mut rng, 64));
            assert_eq!(Wide::product(a, b), Wide::shifted(0, 0) + wide(a * b));
            let (a, b, c) = (
                draw(&mut rng, 127),
                draw(&mut rng, 126),
                draw(&mut rng, 126),
            );
            let apart = Wide::product(a, b) + Wide::product(a, c);
            assert_eq!(Wide::product(a, b + c), apart);
            assert_eq!(apart - Wide::product(a, c), Wide::product(b, a));
        }
    }

    fn wide(low: u128) -> Wide {
        Wide { high: 0, low }
    }

    #[test]
    fn shifts_are_products_with_powers_of_two() {
        let mut rng = Rng::new(81);
        for by in 0..126 {
            let x = draw(&mut rng, 127);
            assert_eq!(Wide::shifted(x as i128, by), Wide::product(x, 1 << by));
            let minus = Wide::shifted(-(x as i128), by) + Wide::product(x, 1 << by);
            assert_eq!(minus, Wide::default());
        }
    }

    #[test]
    fn shares_are_those_of_narrow_numbers() {
        let mut rng = Rng::new(82);
        for _ in 0..3000 {
            let whole = draw(&mut rng, 126) + 1;
            let part = draw(&mut rng, 126) % (whole + 1);
            let scale = draw(&mut rng, 126) + 1;
            let scaled = |x| Wide::product(x, scale);
            assert_eq!(scaled(part).share_of(scaled(whole)), share(part, whole));
        }
        assert!(wide(0).share_of(wide(0)).is_nan());
        assert_eq!(wide(0).share_of(wide(3)), 0.0);
    }
}
