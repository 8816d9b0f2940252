//! How much each row pulls on the average precision.
//!
//! With the precision `P_k` at score `k`, the rows `n_k` at or above it, `A_k = sum_{j>=k} pos_j / n_j` and
//! `B_k = sum_{j>=k} pos_j P_j / n_j` (strict to lenient), a positive at `k` has the raw influence
//! `(P_k + A_k - AP - B_k) / pi` and a negative `-B_k / pi`, `pi` being the share of positives. With weights, counts
//! are sums of weights.
//!
//! One walk down the scores for the precisions, one back up for the sums over more lenient scores; both in
//! double-doubles, so that each value is rounded once. Weights of one score add up exactly, so the order of the rows
//! leaves no trace.

use crate::call::Call;
use crate::dd::Dd;
use crate::error::{same_length, Result};
use crate::exact::ExactSum;
use crate::order::Score;
use crate::ranking::{Entry, Ranking};

/// The raw influence of each row on the average precision, in the order of the input.
///
/// All NaN where no positive weighs anything. A row of weight 0 is absent and has no influence: 0. Strict to lenient
/// is downwards if `descending`, else upwards.
pub fn ap_influence<S: Score<Key: Into<u64>>>(
    scores: &[S],
    positive: &[u8],
    weights: Option<&[f64]>,
    descending: bool,
    call: &Call,
) -> Result<Vec<f64>> {
    let entries = Ranking::new(scores, positive, descending, call)?.entries(call)?;
    let Some(weights) = weights else {
        return influence(&entries, count, |_| true, call);
    };
    same_length(&[scores.len(), weights.len()])?;
    let mut sums = ClassSums::default();
    let weigh = |tied: &[Entry]| match tied {
        // By far the most frequent where there are many scores.
        [one] => by_class(one.positive(), Dd::new(weights[one.row()], 0.0)),
        many => sums.of(many, weights),
    };
    influence(&entries, weigh, |row| weights[row] != 0.0, call)
}

/// A mass that is all of one class: positives first.
fn by_class(positive: bool, mass: Dd) -> [Dd; 2] {
    if positive {
        [mass, Dd::ZERO]
    } else {
        [Dd::ZERO, mass]
    }
}

/// Adds up the weights of tied rows, class by class.
#[derive(Default)]
struct ClassSums {
    sums: [ExactSum; 2],
    components: Vec<f64>,
}

impl ClassSums {
    fn of(&mut self, tied: &[Entry], weights: &[f64]) -> [Dd; 2] {
        for entry in tied {
            self.sums[usize::from(!entry.positive())].add(weights[entry.row()]);
        }
        self.sums.each_mut().map(|sum| {
            sum.take_components(&mut self.components);
            let second = self.components.get(1).copied();
            Dd::new(self.components[0], second.unwrap_or(0.0)) // there is always a first
        })
    }
}

/// Positives and negatives among tied rows.
fn count(tied: &[Entry]) -> [Dd; 2] {
    let pos = tied.iter().filter(|entry| entry.positive()).count();
    [pos, tied.len() - pos].map(|n| Dd::from(n as u64))
}

/// What is left of a score after the walk down.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The precision there.
    precision: Dd,
    /// Its positives over all rows at or above it: nothing where it has none, and then the precision is not needed.
    gain: Dd,
}

/// `weigh` gives the masses of both classes in tied rows.
fn influence(
    entries: &[Entry],
    mut weigh: impl FnMut(&[Entry]) -> [Dd; 2],
    present: impl Fn(usize) -> bool,
    call: &Call,
) -> Result<Vec<f64>> {
    let tied = || entries.chunk_by(|_, next| !next.starts());
    let (mut true_pos, mut flagged, mut precisions) = (Dd::ZERO, Dd::ZERO, Dd::ZERO);
    let mut steps = Vec::new();
    call.for_each(tied(), |tied| {
        let [pos, neg] = weigh(tied);
        let mut step = Step::default();
        flagged += pos + neg;
        if pos != Dd::ZERO {
            true_pos += pos;
            step.precision = true_pos / flagged;
            step.gain = pos / flagged;
            precisions += pos * step.precision;
        }
        steps.push(step);
        Ok(())
    })?;
    if true_pos == Dd::ZERO {
        return Ok(vec![f64::NAN; entries.len()]);
    }
    let (per_share, ap) = (flagged / true_pos, precisions / true_pos);

    let mut values = vec![0.0; entries.len()];
    let (mut a, mut b) = (Dd::ZERO, Dd::ZERO);
    call.for_each(tied().rev().zip(steps.iter().rev()), |(tied, step)| {
        a += step.gain;
        b += step.gain * step.precision;
        let of_pos = ((step.precision + a + -ap + -b) * per_share).to_f64();
        let of_neg = (-b * per_share).to_f64();
        for entry in tied.iter().filter(|entry| present(entry.row())) {
            values[entry.row()] = if entry.positive() { of_pos } else { of_neg };
        }
        Ok(())
    })?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::{on, Rng};

    /// The slow and obvious way: every sum anew for every row.
    fn reference(scores: &[f64], positive: &[u8], weights: &[f64]) -> Vec<f64> {
        let rows = || (0..scores.len()).filter(|&r| weights[r] > 0.0);
        let mass = |keep: &dyn Fn(usize) -> bool| {
            rows().filter(|&r| keep(r)).map(|r| weights[r]).sum::<f64>()
        };
        let pos = |r: usize| positive[r] != 0;
        let flagged = |k: usize| mass(&|r| scores[r] >= scores[k]);
        let precision = |k: usize| mass(&|r| scores[r] >= scores[k] && pos(r)) / flagged(k);
        let share = mass(&pos) / mass(&|_| true);
        let ap = rows()
            .filter(|&r| pos(r))
            .map(|r| weights[r] * precision(r))
            .sum::<f64>()
            / mass(&pos);
        let below = |k: usize| rows().filter(move |&r| pos(r) && scores[r] <= scores[k]);
        (0..scores.len())
            .map(|k| {
                let a: f64 = below(k).map(|r| weights[r] / flagged(r)).sum();
                let b: f64 = below(k)
                    .map(|r| weights[r] * precision(r) / flagged(r))
                    .sum();
                match (weights[k] == 0.0, pos(k)) {
                    (true, _) => 0.0,
                    (_, true) => (precision(k) + a - ap - b) / share,
                    (_, false) => -b / share,
                }
            })
            .collect()
    }

    fn close(found: &[f64], expected: &[f64]) -> bool {
        let same = |(&a, &b): (&f64, &f64)| {
            (a - b).abs() <= 1e-13 * (1.0 + b.abs()) || a.is_nan() && b.is_nan()
        };
        found.len() == expected.len() && found.iter().zip(expected).all(same)
    }

    #[test]
    fn values_agree_with_the_formula() {
        let mut rng = Rng::new(50);
        for _ in 0..300 {
            let (n, distinct) = (1 + rng.below(50) as usize, 1 + rng.below(50));
            let scores: Vec<f64> = (0..n).map(|_| rng.below(distinct) as f64).collect();
            let mut positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8).collect();
            positive[0] = 1;
            let found = ap_influence(&scores, &positive, None, true, &on(1)).unwrap();
            assert!(close(&found, &reference(&scores, &positive, &vec![1.0; n])));

            let mut weights: Vec<f64> = (0..n).map(|_| rng.below(3) as f64 * rng.unit()).collect();
            weights[0] = 0.5;
            let weighted = ap_influence(&scores, &positive, Some(&weights), true, &on(1)).unwrap();
            assert!(close(&weighted, &reference(&scores, &positive, &weights)));
            let negated: Vec<f64> = scores.iter().map(|s| -s).collect();
            let upwards = ap_influence(&negated, &positive, Some(&weights), false, &on(1));
            assert_eq!(upwards.unwrap(), weighted);
        }
    }

    #[test]
    fn order_and_threads_leave_no_trace() {
        let mut rng = Rng::new(51);
        let n = 250_000;
        let mut rows: Vec<(f64, u8, f64)> = (0..n)
            .map(|_| {
                (
                    rng.below(9999) as f64,
                    rng.below(2) as u8,
                    10f64.powf(rng.unit() * 8.0),
                )
            })
            .collect();
        let columns = |rows: &[(f64, u8, f64)]| {
            let column = |f: fn(&(f64, u8, f64)) -> f64| rows.iter().map(f).collect::<Vec<f64>>();
            let positive: Vec<u8> = rows.iter().map(|row| row.1).collect();
            (column(|row| row.0), positive, column(|row| row.2))
        };
        let mut seen = Vec::new();
        for threads in [1, 2, 3] {
            let (scores, positive, weights) = columns(&rows);
            let found =
                ap_influence(&scores, &positive, Some(&weights), true, &on(threads)).unwrap();
            let mut found: Vec<[u64; 4]> = rows
                .iter()
                .zip(found)
                .map(|(row, x)| [row.0.to_bits(), row.1.into(), row.2.to_bits(), x.to_bits()])
                .collect();
            found.sort_unstable();
            seen.push(found);
            rng.shuffle(&mut rows);
        }
        assert!(seen[0] == seen[1] && seen[1] == seen[2]);
    }

    #[test]
    fn nothing_to_pull_on() {
        let nan = ap_influence(&[1.0, 2.0], &[0, 0], None, true, &on(1)).unwrap();
        assert!(nan.iter().all(|x| x.is_nan()));
        let nan = ap_influence(&[1.0, 2.0], &[1, 0], Some(&[0.0, 1.0]), true, &on(1)).unwrap();
        assert!(nan.iter().all(|x| x.is_nan()));
        let strict_absent = ap_influence(&[2.0, 1.0], &[1, 1], Some(&[0.0, 3.0]), true, &on(1));
        assert_eq!(strict_absent.unwrap(), [0.0, 0.0]);
        let short = ap_influence(&[1.0], &[1], Some(&[]), true, &on(1));
        assert_eq!(short, Err(Error::Length));
    }
}
