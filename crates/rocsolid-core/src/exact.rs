//! Sums of floats without any rounding, so that their order can not matter.
//!
//! The running sum is kept as an *expansion*: a list of floats that do not overlap and whose exact sum is the sum of
//! everything added (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
//! 1997; Python's `math.fsum` is the same idea). One exact number has many expansions; the *canonical* one is
//!
//! ```text
//! c0 = round(sum),  c1 = round(sum - c0),  c2 = round(sum - c0 - c1),  ...  until nothing is left.
//! ```
//!
//! It depends on the sum alone. So equal data give equal bits, and adding the components of partial sums gives the
//! very components of the whole: merging is exact.

/// The rounded sum and its rounding error: `a + b == sum + error` exactly (Knuth).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_in_sum = sum - a;
    let a_in_sum = sum - b_in_sum;
    (sum, (a - a_in_sum) + (b - b_in_sum))
}

/// The rounded product and its rounding error: `a * b == product + error` exactly, short of underflow.
///
/// In a baseline build `mul_add` is the call of a library, which uses the processor's instruction if there is one. That
/// takes 7.2 ns a row of average precision; halves of the factors, as in `fast::precision`, take 8.1. Where a walk is
/// long it runs under `fast::isa::dispatch`, and there it is the instruction itself.
#[inline]
pub(crate) fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// An exact running sum.
///
/// Exact as long as no intermediate value overflows and, for squares, the error of a product does not underflow
/// (`w` within about `1e-145 ..= 1e150`; the caller rescales). Beyond that the result may be infinite or NaN, or a
/// square off by `5e-324`, but nothing panics.
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    /// Non-overlapping, non-zero, by rising magnitude.
    partials: Vec<f64>,
}

impl ExactSum {
    /// A sum of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `x` exactly.
    #[inline]
    pub fn add(&mut self, x: f64) {
        // Carry x upwards through the partials; what each step rounds off stays behind, if it is anything.
        let mut carry = x;
        let mut kept = 0;
        for i in 0..self.partials.len() {
            let (sum, error) = two_sum(carry, self.partials[i]);
            if error != 0.0 {
                self.partials[kept] = error; // kept <= i: this place was read already
                kept += 1;
            }
            carry = sum;
        }
        self.partials.truncate(kept);
        if carry != 0.0 {
            self.partials.push(carry);
        }
    }

    /// Adds `x * x` exactly.
    #[inline]
    pub fn add_square(&mut self, x: f64) {
        let (square, error) = two_prod(x, x);
        self.add(error);
        self.add(square);
    }

    /// The exact sum, correctly rounded (ties to even).
    pub fn rounded(&self) -> f64 {
        let mut below = self.partials.iter().rev().copied();
        let Some(mut sum) = below.next() else {
            return 0.0;
        };
        while let Some(partial) = below.next() {
            let error;
            (sum, error) = two_sum(sum, partial);
            if error != 0.0 {
                return settle_tie(sum, error, below.next());
            }
        }
        sum
    }

    /// Empties the sum into its canonical expansion, which has at least one component.
    pub fn take_components(&mut self, into: &mut Vec<f64>) {
        into.clear();
        while self.partials.len() > 1 {
            let rounded = self.rounded();
            into.push(rounded);
            if rounded.is_finite() {
                self.add(-rounded);
            } else {
                self.partials.clear(); // an overflow has no remainder to speak of
            }
        }
        into.extend(self.partials.pop()); // a single partial is its own rounding
        if into.is_empty() {
            into.push(0.0);
        }
    }
}

/// `sum` is `sum + error` rounded. If `error` is half an ulp, rounding to even did not know what lies further below:
/// a remainder on the same side as `error` makes it more than half, so the neighbour is nearer.
fn settle_tie(sum: f64, error: f64, below: Option<f64>) -> f64 {
    let pulls_on = below.is_some_and(|rest| (rest < 0.0) == (error < 0.0));
    let neighbour = sum + 2.0 * error;
    // The step is exact only if error is half an ulp of sum; anything smaller is rounded away or overshoots.
    let is_half = neighbour - sum == 2.0 * error;
    if pulls_on && is_half {
        neighbour
    } else {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    fn components(mut sum: ExactSum) -> Vec<f64> {
        let mut out = Vec::new();
        sum.take_components(&mut out);
        assert_eq!(sum.rounded(), 0.0);
        out
    }

    fn sum_of(values: impl IntoIterator<Item = f64>) -> ExactSum {
        let mut sum = ExactSum::new();
        values.into_iter().for_each(|x| sum.add(x));
        sum
    }

    /// The slow and obvious way, for integers: `as f64` rounds an i128 correctly, ties to even.
    fn reference(mut sum: i128) -> Vec<f64> {
        let mut out = vec![sum as f64];
        sum -= sum as f64 as i128;
        while sum != 0 {
            out.push(sum as f64);
            sum -= sum as f64 as i128;
        }
        out
    }

    /// An integer of up to `bits` bits that a float holds exactly.
    fn float_integer(rng: &mut Rng, bits: u32) -> f64 {
        let shift = rng.below(u64::from(bits - 10)) as u32;
        ((rng.next() >> 11 >> (53u32.saturating_sub(bits - shift))) as f64)
            * 2f64.powi(shift as i32)
    }

    #[test]
    fn sums_agree_with_integers() {
        let mut rng = Rng::new(1);
        for _ in 0..3000 {
            let n = rng.below(30);
            let values: Vec<f64> = (0..n)
                .map(|_| float_integer(&mut rng, 60) * if rng.below(3) == 0 { -1.0 } else { 1.0 })
                .collect();
            let exact: i128 = values.iter().map(|&x| x as i128).sum();
            let sum = sum_of(values);
            assert_eq!(sum.rounded(), exact as f64);
            assert_eq!(components(sum), reference(exact));
        }
    }

    #[test]
    fn squares_agree_with_integers() {
        let mut rng = Rng::new(2);
        for _ in 0..3000 {
            let values: Vec<f64> = (0..rng.below(30))
                .map(|_| float_integer(&mut rng, 60))
                .collect();
            let mut sum = ExactSum::new();
            values.iter().for_each(|&x| sum.add_square(x));
            let exact: i128 = values.iter().map(|&x| (x as i128) * (x as i128)).sum();
            assert_eq!(components(sum), reference(exact));
        }
    }

    #[test]
    fn a_tie_looks_further_down() {
        let one_and_half_ulp = [1.0, 2f64.powi(-53)];
        let up = 1.0 + f64::EPSILON;
        let tiny = 2f64.powi(-200);
        assert_eq!(sum_of(one_and_half_ulp).rounded(), 1.0);
        assert_eq!(
            sum_of(one_and_half_ulp.into_iter().chain([tiny])).rounded(),
            up
        );
        assert_eq!(
            sum_of(one_and_half_ulp.into_iter().chain([-tiny])).rounded(),
            1.0
        );
        // Just below a power of two the ulp halves: a quarter ulp above is a half ulp below.
        assert_eq!(
            sum_of([1.0, -(2f64.powi(-54)), -tiny]).rounded(),
            1.0 - 2f64.powi(-53)
        );
    }

    #[test]
    fn order_and_chunks_leave_no_trace() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let mut values: Vec<f64> = (0..40)
                .map(|_| rng.unit() * 10f64.powf(rng.unit() * 40.0 - 20.0))
                .collect();
            let whole = components(sum_of(values.clone()));
            rng.shuffle(&mut values);
            assert_eq!(components(sum_of(values.clone())), whole);
            let parts = values
                .chunks(7)
                .flat_map(|chunk| components(sum_of(chunk.iter().copied())));
            assert_eq!(components(sum_of(parts)), whole);
        }
    }

    #[test]
    fn nothing_and_no_end() {
        assert_eq!(components(ExactSum::new()), [0.0]);
        assert_eq!(components(sum_of([1.5, -1.5])), [0.0]);
        assert_eq!(components(sum_of([f64::INFINITY])), [f64::INFINITY]);
        assert!(!components(sum_of([f64::MAX, f64::MAX, f64::MAX]))[0].is_finite());
    }
}
