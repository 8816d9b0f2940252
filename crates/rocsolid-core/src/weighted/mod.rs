//! Areas of weighted rows, as functions of the exact sums of weights at each distinct score.
//!
//! With `W` for sums of weights: `auc = sum_k WN_k (WP above k + WP_k / 2) / (WP WN)` and
//! `ap = (1/WP) sum_k WP_k TP_k / (TP_k + FP_k)`. Where weights have a common unit ([`units`]) the sums are integers
//! ([`sums`]); for others, sums of floats. Which it is depends on the data alone, not on their order or division.

pub(crate) mod sums;
pub(crate) mod units;
mod wide;

use crate::call::Call;
use crate::dd::Dd;
use crate::error::{same_length, Result};
use crate::exact::{two_sum, ExactSum};
use crate::group::weighted;
use crate::order::{Direction, Score};
use crate::runs::Weighted;
use crate::table::ExpansionsView;
use sums::{Masses, Sums};
use units::{lowest_bit, Unit, SUM};

/// The ROC area, correctly rounded if its weights have a common unit, and the average precision, to within an ulp, of
/// a table of weight sums; NaN where undefined.
pub fn areas_of_table(pos: ExpansionsView<'_>, neg: ExpansionsView<'_>) -> Result<(f64, f64)> {
    same_length(&[pos.rows(), neg.rows()])?;
    Ok(areas_of(|| numbers(pos).zip(numbers(neg))))
}

/// The same of labelled rows, bit for bit, by sorting: the fallback and the check of [`crate::fast::weighted`]. A row
/// of weight 0 is absent; weights are finite and not negative. High scores are strict. Memory beside the input: a key
/// and a weight per row.
pub(crate) fn areas_by_sorting<S: Score>(
    scores: &[S],
    positive: &[u8],
    weights: &[f64],
    call: &Call,
) -> Result<(f64, f64)> {
    let direction = Direction { descending: true };
    let runs = weighted(scores, positive, weights, direction, call)?;
    Ok(areas_of(|| {
        let mut sums = Leading::default();
        runs.rows()
            .map(move |row| (sums.of(row.pos), sums.of(row.neg)))
    }))
}

/// Both areas of the positives' and negatives' sums of weights at each distinct score, strict to lenient.
fn areas_of<Rows: Iterator<Item = (Dd, Dd)>>(rows: impl Fn() -> Rows) -> (f64, f64) {
    in_units(&rows).unwrap_or_else(|| in_floats(rows()))
}

/// In whole numbers of a common unit, if there is one that suits.
fn in_units<Rows: Iterator<Item = (Dd, Dd)>>(rows: impl Fn() -> Rows) -> Option<(f64, f64)> {
    let parts = rows().flat_map(|(p, n)| [p.parts(), n.parts()]).flatten();
    let lowest = parts
        .filter(|&part| part != 0.0)
        .map(|part| lowest_bit(part.abs()));
    let unit = Unit::new(lowest.min().unwrap_or(0));
    let whole = |sum: Dd| {
        let [high, low] = sum.parts();
        u128::try_from(unit.whole(high)? + unit.whole(low)?).ok()
    };
    let all = rows().try_fold(Masses::default(), |all, (p, n)| {
        let all = all.and(Masses {
            pos: whole(p)?,
            neg: whole(n)?,
        });
        ((all.pos + all.neg) >> SUM == 0).then_some(all)
    })?;
    if all.pos > 0 && !all.balanced() {
        return None;
    }
    let (mut above, mut sums) = (Masses::default(), Sums::default());
    for (p, n) in rows() {
        let tied = Masses {
            pos: whole(p)?,
            neg: whole(n)?,
        };
        sums.add_ties(tied, above);
        above = above.and(tied);
    }
    Some(sums.areas(all))
}

/// In floats of about 106 bits.
fn in_floats(rows: impl Iterator<Item = (Dd, Dd)>) -> (f64, f64) {
    let (mut true_pos, mut false_pos) = (Dd::ZERO, Dd::ZERO);
    let (mut u, mut precision) = (Dd::ZERO, Dd::ZERO);
    for (p, n) in rows {
        u += n * (true_pos + p.half());
        true_pos += p;
        false_pos += n;
        if p != Dd::ZERO {
            precision += p * (true_pos / (true_pos + false_pos));
        }
    }
    // 0/0 is NaN, which is what an area without one of the classes is.
    let auc = u / (true_pos * false_pos);
    let ap = precision / true_pos;
    (auc.to_f64(), ap.to_f64())
}

/// Sums weights to about 106 bits: the first two components of the exact sum, whatever their order.
#[derive(Default)]
struct Leading {
    sum: ExactSum,
    components: Vec<f64>,
}

impl Leading {
    fn of<K>(&mut self, items: &[Weighted<K>]) -> Dd {
        match items {
            [] => Dd::ZERO,
            [one] => Dd::new(one.weight, 0.0),
            // Two numbers' rounded sum and its error are the canonical expansion.
            [one, other] => {
                let (sum, error) = two_sum(one.weight, other.weight);
                Dd::new(sum, error)
            }
            many => {
                many.iter().for_each(|item| self.sum.add(item.weight));
                self.sum.take_components(&mut self.components);
                Dd::new(
                    self.components[0],
                    self.components.get(1).copied().unwrap_or(0.0),
                )
            }
        }
    }
}

/// Each row's sum to about 106 bits: its first two components.
fn numbers(column: ExpansionsView<'_>) -> impl Iterator<Item = Dd> + '_ {
    let (sums, remainders) = column.leading();
    sums.iter()
        .enumerate()
        .map(move |(i, &sum)| Dd::new(sum, remainders.map_or(0.0, |rest| rest[i])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::fast::{weighted::areas, Path};
    use crate::group;
    use crate::testing::on;
    use crate::testing::Rng;

    fn rows<S: Score>(
        scores: &[S],
        positive: &[u8],
        weights: &[f64],
        threads: usize,
    ) -> Result<(f64, f64)> {
        let call = Call::uninterrupted(threads);
        areas(Path::Auto, scores, positive, weights, &call)
    }

    fn some_rows(rng: &mut Rng, most: u64) -> (Vec<i64>, Vec<u8>) {
        let (n, distinct) = (rng.below(most), 1 + rng.below(most));
        let score = (0..n).map(|_| rng.below(distinct) as i64 - 3).collect();
        let positive = (0..n).map(|_| u8::from(rng.below(3) == 0)).collect();
        (score, positive)
    }

    #[test]
    fn whole_weights_are_counts() {
        let mut rng = Rng::new(11);
        for _ in 0..500 {
            let (scores, positive) = some_rows(&mut rng, 40);
            let weights = vec![0.1; scores.len()];
            let sums = group(&scores, &positive, Some(&weights), true, &on(1))
                .unwrap()
                .weights
                .unwrap();
            let (auc, ap) = areas_of_table(sums.pos.view(), sums.neg.view()).unwrap();

            let counted = crate::area::areas_by_sorting(&scores, &positive, &on(1)).unwrap();
            let twice_pairs = 2 * counted.n_pos * counted.n_neg;
            let expected = counted.u2 as f64 / twice_pairs as f64;
            assert!(
                auc == expected || (auc.is_nan() && twice_pairs == 0),
                "{auc} {expected}"
            );
            assert!(ap == counted.ap || (ap.is_nan() && counted.n_pos == 0));
        }
    }

    #[test]
    fn rows_have_the_areas_of_their_table() {
        let mut rng = Rng::new(12);
        for round in 0..2000 {
            let (scores, positive) = some_rows(&mut rng, 60);
            let weight = |rng: &mut Rng| match rng.below(6) {
                0 => 0.0,
                1 => 2f64.powi(rng.below(120) as i32 - 60),
                _ => rng.unit(),
            };
            let weights: Vec<f64> = scores.iter().map(|_| weight(&mut rng)).collect();
            let table = group(&scores, &positive, Some(&weights), true, &on(1)).unwrap();
            let sums = table.weights.unwrap();
            let expected = areas_of_table(sums.pos.view(), sums.neg.view()).unwrap();
            let found = rows(&scores, &positive, &weights, 1 + round % 2).unwrap();
            assert_eq!(found.0.to_bits(), expected.0.to_bits());
            assert_eq!(found.1.to_bits(), expected.1.to_bits());
        }
        let nan = rows(&[f64::NAN], &[1], &[1.0], 1);
        assert_eq!(nan, Err(Error::Nan));
        assert_eq!(rows(&[1.0], &[1], &[], 1), Err(Error::Length));
    }

    #[test]
    fn a_small_weight_among_large_ones_is_seen() {
        // One negative of weight 1e-20 above the positive, one of weight 1 below.
        let (pos, neg) = ([0.0, 1.0, 0.0], [1e-20, 0.0, 1.0]);
        let view = |data| ExpansionsView::new(1, data).unwrap();
        let (auc, _) = areas_of_table(view(&pos), view(&neg)).unwrap();
        assert_eq!(auc, 1.0);
        let (auc, _) = areas_of_table(view(&[0.0, 1.0]), view(&[1.0, 1e-20])).unwrap();
        assert_eq!(auc, 5e-21); // half of a tie with all but nothing
    }

    #[test]
    fn integers_and_floats_agree() {
        let mut rng = Rng::new(86);
        for _ in 0..2000 {
            let n = 1 + rng.below(50);
            let table: Vec<(Dd, Dd)> = (0..n)
                .map(|_| (Dd::new(rng.unit(), 0.0), Dd::new(rng.unit(), 0.0)))
                .collect();
            let (auc, ap) = in_units(|| table.iter().copied()).unwrap();
            let (float_auc, float_ap) = in_floats(table.iter().copied());
            assert_eq!(auc, float_auc);
            assert!(ap.to_bits().abs_diff(float_ap.to_bits()) <= 1);
        }
    }

    #[test]
    fn what_has_no_unit_is_added_in_floats() {
        let one = |x: f64| Dd::new(x, 0.0);
        let far = [(one(1.0), one(1e-40)), (one(1.0), one(1.0))];
        assert_eq!(in_units(|| far.into_iter()), None);
        let light = [(one(2f64.powi(-50)), one(0.0)), (one(0.0), one(1.0))];
        assert_eq!(in_units(|| light.into_iter()), None);
        assert_eq!(areas_of(|| light.into_iter()), (1.0, 1.0));
        let none = areas_of(std::iter::empty);
        assert!(none.0.is_nan() && none.1.is_nan());
    }

    #[test]
    fn columns_have_one_length() {
        let (one, two) = (
            ExpansionsView::new(1, &[1.0]).unwrap(),
            ExpansionsView::new(1, &[1.0, 1.0]).unwrap(),
        );
        assert_eq!(areas_of_table(one, two), Err(Error::Length));
    }
}
