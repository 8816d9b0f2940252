//! A ratio of counts, rounded once.

/// Bits of the quotient before rounding: a float's 53, and some so that rounding up a half is told from more.
const QUOTIENT: u32 = 60;
/// Integers up to here are floats, and one division of floats rounds once.
const EXACT: u128 = 1 << 53;

/// `part / whole`, correctly rounded, for `part <= whole < 2^127`. NaN if `whole` is zero.
pub fn share(part: u128, whole: u128) -> f64 {
    debug_assert!(part <= whole && whole < 1 << 127);
    if part == 0 || whole <= EXACT {
        return part as f64 / whole as f64;
    }
    // Long division by hand, until the quotient has enough bits.
    let (mut rest, mut quotient, mut exponent) = (part, 0u64, 0);
    loop {
        quotient = quotient << 1 | u64::from(rest >= whole);
        rest = if rest >= whole { rest - whole } else { rest } << 1;
        if quotient >> QUOTIENT != 0 {
            break;
        }
        exponent -= 1;
    }
    // Whatever is left makes the quotient a little more than it says, which matters only beside a half.
    let sticky = quotient | u64::from(rest != 0);
    sticky as f64 * 2f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    #[test]
    fn small_counts_divide_as_floats() {
        assert_eq!(share(1, 3), 1.0 / 3.0);
        assert_eq!(share(0, 7), 0.0);
        assert_eq!(share(0, 1 << 100), 0.0);
        assert!(share(0, 0).is_nan());
    }

    #[test]
    fn large_counts_round_to_the_nearest() {
        let mut rng = Rng::new(70);
        for _ in 0..2000 {
            let whole = u128::from(rng.next()) << (rng.below(60)) | 1 << 54;
            let part = (u128::from(rng.next()) << 64 | u128::from(rng.next())) % (whole + 1);
            let part = part >> rng.below(60);
            // Scaled by the same odd factor: where the small ratio is exact, so must be the large one.
            assert_eq!(share(part, whole), nearest(part, whole), "{part} / {whole}");
        }
        let (third, big) = (1.0 / 3.0, (1u128 << 125) + 1);
        assert_eq!(share(big / 3, big), third);
        assert_eq!(
            (share(big, big), share(1, 1 << 126)),
            (1.0, 2f64.powi(-126))
        );
        // Half-way between two floats: to the even one, but up if there is anything more.
        let half_way = (EXACT + 1) << 1;
        assert_eq!(
            share(half_way - 1, 1 << 60),
            EXACT as f64 * 2.0 / 2f64.powi(60)
        );
        assert_eq!(
            share((half_way - 1) << 40 | 1, 1 << 100),
            (EXACT + 1) as f64 * 2.0 / 2f64.powi(60)
        );
    }

    /// The slow and obvious way: of the floats around the guess, the one whose distance is least.
    fn nearest(part: u128, whole: u128) -> f64 {
        let guess = part as f64 / whole as f64;
        let error = |x: f64| {
            // |x - part / whole| in units too fine to matter: as the sign of exact differences in 256 bits.
            let (mantissa, exponent) = split(x);
            difference(mantissa, exponent, part, whole)
        };
        let around =
            [-2i64, -1, 0, 1, 2].map(|step| f64::from_bits((guess.to_bits() as i64 + step) as u64));
        let mut best = around[2];
        for x in around {
            let (a, b) = (error(x), error(best));
            if a < b || (a == b && x.to_bits() % 2 == 0) {
                best = x;
            }
        }
        best
    }

    fn split(x: f64) -> (u128, i32) {
        let exponent = (x.to_bits() >> 52) as i32 - 1075;
        (
            u128::from(x.to_bits() & ((1 << 52) - 1) | 1 << 52),
            exponent,
        )
    }

    /// `|mantissa * whole - part * 2^-exponent|` in 384 bits, most significant digit first.
    fn difference(mantissa: u128, exponent: i32, part: u128, whole: u128) -> Vec<u64> {
        let a = times(whole, mantissa);
        let b = shifted(part, (-exponent) as usize);
        let (large, small) = if a > b { (a, b) } else { (b, a) };
        let (mut out, mut borrow) = (large.clone(), false);
        for i in (0..out.len()).rev() {
            let (d, one) = large[i].overflowing_sub(small[i]);
            let (d, two) = d.overflowing_sub(u64::from(borrow));
            (out[i], borrow) = (d, one || two);
        }
        out
    }

    fn times(a: u128, b: u128) -> Vec<u64> {
        let (low, high) = (u128::from(a as u64) * b, (a >> 64) * b);
        let middle = (low >> 64) + high;
        vec![0, 0, 0, (middle >> 64) as u64, middle as u64, low as u64]
    }

    fn shifted(a: u128, by: usize) -> Vec<u64> {
        let mut out = vec![0u64; 6];
        for bit in (0..128).filter(|bit| a >> bit & 1 == 1) {
            let place = bit + by;
            out[5 - place / 64] |= 1 << (place % 64);
        }
        out
    }
}
