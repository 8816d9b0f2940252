//! Areas and their placement sums, as sums over a table whose rows run strict to lenient.

use crate::call::Call;
use crate::dd::Dd;
use crate::error::{same_length, Error, Result};
use crate::fast::isa::{dispatch, Isa, Job};
use crate::group::unweighted;
use crate::order::{Direction, Score};
use crate::ratio::share;

/// Twice the Mann-Whitney U, and the sums of squared placements that the variance of the ROC area is made of.
///
/// Twice the *placement* of a positive is `2 x negatives more lenient + negatives tied`; of a negative,
/// `2 x positives stricter + positives tied`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RocSums {
    /// The sum over positives of twice their placement; the sum over negatives is the same. `AUC = u2 / (2 P N)`.
    pub u2: u128,
    /// The sum over positives of the square of twice their placement.
    pub a2: u128,
    /// The sum over negatives of the square of twice their placement.
    pub b2: u128,
    /// The number of positives, P.
    pub n_pos: u64,
    /// The number of negatives, N.
    pub n_neg: u64,
}

/// The ROC sums of a table, or `None` where one of them passes 128 bits (or a class 64).
pub fn roc_sums(pos: &[u64], neg: &[u64]) -> Result<Option<RocSums>> {
    same_length(&[pos.len(), neg.len()])?;
    Ok(checked_roc_sums(pos, neg))
}

fn checked_roc_sums(pos: &[u64], neg: &[u64]) -> Option<RocSums> {
    let (n_pos, n_neg) = (total(pos)?, total(neg)?);
    let (mut u2, mut a2, mut b2) = (0u128, 0u128, 0u128);
    let (mut above, mut below) = (0u64, n_neg);
    for (&p, &n) in pos.iter().zip(neg) {
        below = below.checked_sub(n)?;
        let of_pos = twice_placement(below, n)?;
        let of_neg = twice_placement(above, p)?;
        above = above.checked_add(p)?;

        let row = of_pos.checked_mul(p.into())?;
        u2 = u2.checked_add(row)?;
        a2 = a2.checked_add(row.checked_mul(of_pos)?)?;
        b2 = b2.checked_add(of_neg.checked_mul(n.into())?.checked_mul(of_neg)?)?;
    }
    Some(RocSums {
        u2,
        a2,
        b2,
        n_pos,
        n_neg,
    })
}

fn total(counts: &[u64]) -> Option<u64> {
    counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n))
}

#[inline]
fn twice_placement(beyond: u64, tied: u64) -> Option<u128> {
    u128::from(beyond).checked_mul(2)?.checked_add(tied.into())
}

/// The average precision of a table, `(1/P) sum_k pos_k TP_k / (TP_k + FP_k)`, rounded once; `None` without positives
/// or where the rows number more than 64 bits can count.
pub fn average_precision(pos: &[u64], neg: &[u64]) -> Result<Option<f64>> {
    same_length(&[pos.len(), neg.len()])?;
    let mut sum = PrecisionSum::default();
    let added = pos.iter().zip(neg).try_for_each(|(&p, &n)| sum.add(p, n));
    Ok(added.and_then(|()| sum.average()))
}

/// The running sum of the precision at each positive.
#[derive(Default)]
struct PrecisionSum {
    true_pos: u64,
    false_pos: u64,
    sum: Dd,
}

impl PrecisionSum {
    /// The next row. `None` if a count overflows.
    #[inline(always)]
    fn add(&mut self, pos: u64, neg: u64) -> Option<()> {
        self.true_pos = self.true_pos.checked_add(pos)?;
        self.false_pos = self.false_pos.checked_add(neg)?;
        let predicted = self.true_pos.checked_add(self.false_pos)?;
        if pos > 0 {
            let precision = Dd::from(self.true_pos) / Dd::from(predicted);
            self.sum += Dd::from(pos) * precision;
        }
        Some(())
    }

    /// The mean over all positives.
    fn average(&self) -> Option<f64> {
        (self.true_pos > 0).then(|| (self.sum / Dd::from(self.true_pos)).to_f64())
    }
}

/// Both areas of labelled rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Areas {
    /// Twice the Mann-Whitney U: `AUC = u2 / (2 P N)`.
    pub u2: u128,
    /// The number of positives, P.
    pub n_pos: u64,
    /// The number of negatives, N.
    pub n_neg: u64,
    /// The average precision, NaN without positives.
    pub ap: f64,
}

impl Areas {
    /// The area under the ROC curve, correctly rounded; NaN unless both classes have a row.
    pub fn auc(&self) -> f64 {
        // Each class has fewer than 2^61 rows: they lie in memory.
        share(self.u2, 2 * u128::from(self.n_pos) * u128::from(self.n_neg))
    }
}

/// Both areas in one walk over the sorted rows, without a table: the fallback and the check of [`crate::fast`]. High
/// scores are strict.
pub(crate) fn areas_by_sorting<S: Score>(
    scores: &[S],
    positive: &[u8],
    call: &Call,
) -> Result<Areas> {
    same_length(&[scores.len(), positive.len()])?;
    let runs = unweighted(scores, positive, Direction { descending: true }, call)?;
    let rows = runs.rows().map(|row| [row.neg, row.pos]);
    areas_of(rows.map(|row| row.map(|run| run.len() as u64)), call)
}

/// Both areas of the numbers of negatives and positives at each distinct score, strict to lenient.
pub(crate) fn areas_of(rows: impl Iterator<Item = [u64; 2]>, call: &Call) -> Result<Areas> {
    dispatch(Walk(rows, call))
}

struct Walk<'a, I>(I, &'a Call<'a>);

impl<R: Iterator<Item = [u64; 2]>> Job for Walk<'_, R> {
    type Output = Result<Areas>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<Areas> {
        let (mut u2, mut precision) = (0u128, PrecisionSum::default());
        self.1.for_each(self.0, |[n, p]| {
            u2 = twice_placement(precision.true_pos, p)
                .and_then(|twice| twice.checked_mul(n.into())?.checked_add(u2))
                .ok_or(Error::CountOverflow)?;
            precision.add(p, n).ok_or(Error::CountOverflow)
        })?;
        Ok(Areas {
            u2,
            n_pos: precision.true_pos,
            n_neg: precision.false_pos,
            ap: precision.average().unwrap_or(f64::NAN),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group;
    use crate::testing::{on, Rng};

    fn some_rows(rng: &mut Rng, most: u64) -> (Vec<i64>, Vec<u8>) {
        let (n, distinct) = (rng.below(most), 1 + rng.below(most));
        let score = (0..n).map(|_| rng.below(distinct) as i64 - 3).collect();
        let positive = (0..n).map(|_| u8::from(rng.below(3) == 0)).collect();
        (score, positive)
    }

    fn of_class(scores: &[i64], positive: &[u8], class: bool) -> Vec<i64> {
        let rows = scores
            .iter()
            .zip(positive)
            .filter(|(_, &y)| (y != 0) == class);
        rows.map(|(&s, _)| s).collect()
    }

    /// The slow and obvious way: compare every positive with every negative.
    fn pairs(scores: &[i64], positive: &[u8]) -> RocSums {
        let (pos, neg) = (
            of_class(scores, positive, true),
            of_class(scores, positive, false),
        );
        let twice = |p: i64, n: i64| 2 * u128::from(p > n) + u128::from(p == n);
        let of_pos = |&p: &i64| neg.iter().map(|&n| twice(p, n)).sum::<u128>();
        let of_neg = |&n: &i64| pos.iter().map(|&p| twice(p, n)).sum::<u128>();
        RocSums {
            u2: pos.iter().map(of_pos).sum(),
            a2: pos.iter().map(|p| of_pos(p).pow(2)).sum(),
            b2: neg.iter().map(|n| of_neg(n).pow(2)).sum(),
            n_pos: pos.len() as u64,
            n_neg: neg.len() as u64,
        }
    }

    /// The slow and obvious way, over the common denominator of the fractions 1/1 ... 1/40.
    fn precision_fraction(scores: &[i64], positive: &[u8]) -> (u128, u128) {
        const COMMON: u128 = 5_342_931_457_063_200;
        let pos = of_class(scores, positive, true);
        let at_positive = |&t: &i64| {
            let tp = pos.iter().filter(|&&s| s >= t).count() as u128;
            tp * (COMMON / scores.iter().filter(|&&s| s >= t).count() as u128)
        };
        (
            pos.iter().map(at_positive).sum(),
            COMMON * pos.len() as u128,
        )
    }

    /// `|ap - num / den|` is at most one ulp of `ap`, in integers.
    fn within_an_ulp(ap: f64, num: u128, den: u128) -> bool {
        let exponent = (ap.to_bits() >> 52) as i32 - 1075;
        let mantissa = u128::from(ap.to_bits() & ((1 << 52) - 1) | 1 << 52);
        (mantissa * den).abs_diff(num << -exponent) <= den
    }

    #[test]
    fn counts_agree_with_pairs() {
        let mut rng = Rng::new(10);
        for _ in 0..2000 {
            let (scores, positive) = some_rows(&mut rng, 40);
            let table = group(&scores, &positive, None, true, &on(1)).unwrap();
            let expected = pairs(&scores, &positive);
            assert_eq!(roc_sums(&table.pos, &table.neg).unwrap(), Some(expected));

            let ap = average_precision(&table.pos, &table.neg).unwrap();
            let (num, den) = precision_fraction(&scores, &positive);
            assert_eq!(ap.is_some(), den > 0);
            assert!(ap.is_none_or(|ap| within_an_ulp(ap, num, den)));

            let both = areas_by_sorting(&scores, &positive, &on(1)).unwrap();
            assert_eq!(
                (both.u2, both.n_pos, both.n_neg),
                (expected.u2, expected.n_pos, expected.n_neg)
            );
            assert_eq!(both.ap.to_bits(), ap.unwrap_or(f64::NAN).to_bits());
        }
    }

    #[test]
    fn overflow_is_none() {
        let big = u64::MAX;
        assert_eq!(roc_sums(&[big, 1], &[0, 0]).unwrap(), None);
        assert_eq!(roc_sums(&[big, 0], &[0, big]).unwrap(), None);
        assert_eq!(average_precision(&[big], &[1]).unwrap(), None);
        let fits = roc_sums(&[1 << 40, 0], &[0, 1 << 40]).unwrap().unwrap();
        assert_eq!((fits.u2, fits.a2, fits.b2), (1 << 81, 1 << 122, 1 << 122));
        assert_eq!(average_precision(&[big - 1], &[1]).unwrap(), Some(1.0));
    }

    #[test]
    fn bad_columns_are_refused() {
        assert_eq!(roc_sums(&[1], &[]), Err(Error::Length));
        assert_eq!(average_precision(&[1], &[]), Err(Error::Length));
        assert_eq!(areas_by_sorting(&[1.0], &[], &on(1)), Err(Error::Length));
        assert_eq!(areas_by_sorting(&[f32::NAN], &[0], &on(1)), Err(Error::Nan));
    }
}
