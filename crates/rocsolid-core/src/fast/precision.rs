//! The sum of the precision at each positive, eight positives at a time.
//!
//! Each lane is a double-double accumulator, so that the whole is rounded once, at the end (see [`crate::dd`]).

use super::isa::Isa;
use crate::dd::Dd;
use crate::exact::two_sum;

/// Positives handled together.
pub(crate) const LANES: usize = 8;

/// Running sums of quotients.
#[derive(Clone, Copy, Default)]
pub(crate) struct PrecisionLanes {
    hi: [f64; LANES],
    lo: [f64; LANES],
}

impl PrecisionLanes {
    /// Adds `true_pos / predicted` in each lane: whole numbers below `2^53`, `predicted` at least 1.
    #[inline(always)]
    pub fn add<I: Isa>(&mut self, true_pos: [f64; LANES], predicted: [f64; LANES]) {
        for i in 0..LANES {
            // q is within two ulps of the quotient, so what it leaves over is exact, and the two together are
            // good to 2^-104 with one division.
            let inverse = 1.0 / predicted[i];
            let quotient = true_pos[i] * inverse;
            let left = remainder::<I>(true_pos[i], quotient, predicted[i]);
            let (sum, error) = two_sum(self.hi[i], quotient);
            self.hi[i] = sum;
            self.lo[i] += error + left * inverse;
        }
    }

    /// The total, lanes in a fixed order.
    pub fn total(&self) -> Dd {
        let lanes = self.hi.iter().zip(&self.lo);
        lanes.fold(Dd::ZERO, |sum, (&hi, &lo)| sum + Dd::normal(hi, lo))
    }
}

/// `dividend - quotient * divisor`, exactly, for a quotient that is nearly right.
#[inline(always)]
pub(crate) fn remainder<I: Isa>(dividend: f64, quotient: f64, divisor: f64) -> f64 {
    if I::FUSED {
        (-quotient).mul_add(divisor, dividend)
    } else {
        let (product, error) = split_product(quotient, divisor);
        (dividend - product) - error
    }
}

/// The rounded product and its rounding error without a fused instruction (Dekker 1971, Veltkamp's splitting).
#[inline(always)]
fn split_product(a: f64, b: f64) -> (f64, f64) {
    const SPLIT: f64 = 134_217_729.0; // 2^27 + 1
    let halves = |x: f64| {
        let scaled = SPLIT * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let (product, (ah, al), (bh, bl)) = (a * b, halves(a), halves(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::two_prod;
    use crate::testing::Rng;

    #[test]
    fn both_products_are_exact() {
        let mut rng = Rng::new(21);
        for _ in 0..10_000 {
            let (a, b) = (rng.unit(), (rng.next() >> 12) as f64);
            assert_eq!(split_product(a, b), two_prod(a, b));
        }
    }

    #[test]
    fn sums_agree_with_double_doubles() {
        let mut rng = Rng::new(22);
        for _ in 0..300 {
            let (mut fused, mut split, mut slow) = (
                PrecisionLanes::default(),
                PrecisionLanes::default(),
                Dd::ZERO,
            );
            for _ in 0..50 {
                let predicted: [u64; LANES] =
                    std::array::from_fn(|_| 1 + (rng.next() >> (14 + rng.below(49))));
                let true_pos = predicted.map(|n| 1 + rng.below(n));
                predicted
                    .iter()
                    .zip(true_pos)
                    .for_each(|(&n, t)| slow += Dd::from(t) / Dd::from(n));
                let (t, n) = (true_pos.map(|t| t as f64), predicted.map(|n| n as f64));
                split.add::<super::super::isa::Baseline>(t, n);
                #[cfg(target_arch = "x86_64")]
                fused.add::<super::super::isa::Avx2>(t, n);
                #[cfg(not(target_arch = "x86_64"))]
                fused.add::<super::super::isa::Baseline>(t, n);
            }
            let close =
                |sum: Dd| (sum + slow.negated()).to_f64().abs() <= 2f64.powi(-95) * slow.to_f64();
            assert!(close(split.total()) && close(fused.total()));
        }
    }
}
