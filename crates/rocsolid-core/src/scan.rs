//! Both areas of a replicate, in one pass over its counts.

use crate::dd::Dd;
use crate::deal::Count;

/// Rows whose precisions are computed side by side.
const CHUNK: usize = 64;

/// Quotients that one step divides.
const LANES: usize = 4;

/// An integer that holds `2 P N`.
pub(crate) trait Wide: Copy + Default {
    /// Adds `neg * (2 * stricter + tied)`, which the caller knows to fit.
    fn add_pairs(&mut self, neg: u64, stricter: u64, tied: u64);

    /// The number, to about 106 bits.
    fn dd(self) -> Dd;
}

impl Wide for u64 {
    #[inline]
    fn add_pairs(&mut self, neg: u64, stricter: u64, tied: u64) {
        *self += neg * (2 * stricter + tied);
    }

    fn dd(self) -> Dd {
        Dd::from(self)
    }
}

impl Wide for u128 {
    #[inline]
    fn add_pairs(&mut self, neg: u64, stricter: u64, tied: u64) {
        *self += u128::from(neg) * (2 * u128::from(stricter) + u128::from(tied));
    }

    fn dd(self) -> Dd {
        const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
        Dd::from((self >> 64) as u64) * Dd::new(TWO_TO_64, 0.0) + Dd::from(self as u64)
    }
}

/// A count with the integer that holds products of two sums of such counts.
pub(crate) trait Scanned: Count {
    /// With at most `R` rows in all, `2 P N <= R^2 / 2`: 64 bits for counts of 32, 128 for counts of 64.
    type Wide: Wide;
}

impl Scanned for u32 {
    type Wide = u64;
}

impl Scanned for u64 {
    type Wide = u128;
}

/// ROC area and average precision; NaN where undefined.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Pair {
    pub auc: f64,
    pub ap: f64,
}

/// Running sums over the rows of a table, strict to lenient. All that they count fits the count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scan<C: Scanned> {
    true_pos: u64,
    flagged: u64,
    u2: C::Wide,
    precision: Dd,
}

impl<C: Scanned> Scan<C> {
    /// The next rows, each its positives and its negatives.
    pub fn add(&mut self, rows: &[C]) {
        rows.chunks(2 * CHUNK).for_each(|rows| self.add_chunk(rows));
    }

    /// Prefix sums in integers, one after the other; then the quotients, side by side and without a branch.
    #[inline]
    fn add_chunk(&mut self, rows: &[C]) {
        let (mut gained, mut at, mut flagged) = ([0.0; CHUNK], [0.0; CHUNK], [1.0; CHUNK]);
        for (i, row) in rows.chunks_exact(2).enumerate().take(CHUNK) {
            let (pos, neg): (u64, u64) = (row[0].into(), row[1].into());
            self.u2.add_pairs(neg, self.true_pos, pos);
            self.true_pos += pos;
            self.flagged += pos + neg;
            gained[i] = C::float(pos);
            at[i] = C::float(self.true_pos);
            flagged[i] = C::float(self.flagged.max(1)); // nothing flagged: nothing gained, and 0/1 = 0
        }
        let mut sums = [0.0; LANES];
        for i in (0..CHUNK).step_by(LANES) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let i = i + lane;
                *sum += gained[i] * at[i] / flagged[i];
            }
        }
        let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        self.precision += Dd::new(sum, 0.0);
    }

    /// The areas of all rows added.
    pub fn areas(&self) -> Pair {
        let (pos, neg) = (self.true_pos, self.flagged - self.true_pos);
        // 0/0 is NaN, which is what an area without one of the classes is.
        let pairs = Dd::from(pos) * Dd::from(neg);
        let auc = self.u2.dd().half() / pairs;
        let ap = self.precision / Dd::from(pos);
        Pair {
            auc: auc.to_f64(),
            ap: ap.to_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{average_precision, roc_sums};
    use crate::testing::Rng;

    fn scanned<C: Scanned + TryFrom<u64>>(pos: &[u64], neg: &[u64]) -> Pair {
        let count = |n: u64| C::try_from(n).unwrap_or_default();
        let rows = pos.iter().zip(neg);
        let rows: Vec<C> = rows.flat_map(|(&p, &n)| [count(p), count(n)]).collect();
        let (some, others) = rows.split_at(rows.len() / 6 * 2);
        let mut scan = Scan::default();
        scan.add(some);
        scan.add(others);
        scan.areas()
    }

    #[test]
    fn areas_agree_with_the_exact_sums() {
        let mut rng = Rng::new(31);
        for round in 0..500 {
            let k = rng.below(300) as usize;
            let bits = if round % 2 == 0 { 3 } else { 20 };
            let (pos, neg): (Vec<u64>, Vec<u64>) = (0..k)
                .map(|_| (rng.below(1 << bits) / 3, rng.below(1 << bits)))
                .unzip();
            let (narrow, wide) = (scanned::<u32>(&pos, &neg), scanned::<u64>(&pos, &neg));
            let sums = roc_sums(&pos, &neg).unwrap().unwrap();
            if sums.n_pos == 0 {
                assert!(narrow.auc.is_nan() && narrow.ap.is_nan());
                continue;
            }
            assert_eq!(
                (narrow.auc.to_bits(), narrow.ap.to_bits()),
                (wide.auc.to_bits(), wide.ap.to_bits())
            );
            // Numbers below 2^53: the quotient of floats is correctly rounded.
            let pairs = 2.0 * sums.n_pos as f64 * sums.n_neg as f64;
            assert_eq!(narrow.auc, sums.u2 as f64 / pairs);
            let ap = average_precision(&pos, &neg).unwrap().unwrap();
            assert!((narrow.ap - ap).abs() <= 4.0 * f64::EPSILON * ap);
        }
    }

    #[test]
    fn one_class_and_none() {
        let both = scanned::<u32>(&[0, 3], &[2, 0]);
        assert_eq!((both.auc, both.ap), (0.0, 0.6));
        let only_pos = scanned::<u32>(&[1, 3], &[0, 0]);
        assert!(only_pos.auc.is_nan() && only_pos.ap == 1.0);
        for nothing in [scanned::<u32>(&[0], &[5]), scanned::<u64>(&[], &[])] {
            assert!(nothing.auc.is_nan() && nothing.ap.is_nan());
        }
    }

    #[test]
    fn wide_counts() {
        let e = 1u64 << 61;
        let areas = scanned::<u64>(&[e, 0, e], &[0, e, 0]);
        assert_eq!(areas.auc, 0.5);
        assert!((areas.ap - (0.5 + 0.5 * 2.0 / 3.0)).abs() < 1e-15);
    }
}
