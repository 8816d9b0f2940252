//! From labelled rows to a table.

use crate::call::Call;
use crate::error::{same_length, Result};
use crate::exact::two_prod;
use crate::order::{Direction, Key, Score};
use crate::runs::{Item, Row, Rows, Runs, Weighted};
use crate::table::{ClassSums, Expansions, Table, Weights};

/// Counts the positives (`positive[i] != 0`) and negatives of each distinct score.
///
/// Strict to lenient is downwards if `descending`, else upwards. A row of weight 0 is absent. Weights are finite and
/// not negative. Memory beside input and output: one key per row, and its weight.
pub fn group<S: Score>(
    scores: &[S],
    positive: &[u8],
    weights: Option<&[f64]>,
    descending: bool,
    call: &Call,
) -> Result<Table<S>> {
    same_length(&[scores.len(), positive.len()])?;
    let direction = Direction { descending };
    match weights {
        None => {
            let runs = unweighted(scores, positive, direction, call)?;
            tabulate(runs.rows(), direction, call)
        }
        Some(weights) => {
            same_length(&[scores.len(), weights.len()])?;
            let runs = weighted(scores, positive, weights, direction, call)?;
            let mut table = tabulate(runs.rows(), direction, call)?;
            table.weights = Some(sum_weights(runs.rows(), table.scores.len(), call)?);
            Ok(table)
        }
    }
}

/// The sorted runs of plain keys. The columns have one length.
pub(crate) fn unweighted<S: Score>(
    scores: &[S],
    positive: &[u8],
    direction: Direction,
    call: &Call,
) -> Result<Runs<S::Key>> {
    let rows = scores
        .iter()
        .zip(positive)
        .map(|(&score, &positive)| Ok((direction.key(score)?, positive != 0)));
    Runs::sorted(scores.len(), rows, call)
}

/// The sorted runs of keys with their weights, without the rows of weight 0. The columns have one length.
pub(crate) fn weighted<S: Score>(
    scores: &[S],
    positive: &[u8],
    weights: &[f64],
    direction: Direction,
    call: &Call,
) -> Result<Runs<Weighted<S::Key>>> {
    let rows = scores
        .iter()
        .zip(positive)
        .zip(weights)
        .filter(|(_, &weight)| weight != 0.0)
        .map(|((&score, &positive), &weight)| {
            let key = direction.key(score)?;
            Ok((Weighted { key, weight }, positive != 0))
        });
    Runs::sorted(scores.len(), rows, call)
}

/// A table of the counts. Walks the rows twice, so that the table is allocated to measure.
fn tabulate<S: Score, T: Item<Key = S::Key>>(
    rows: Rows<'_, T>,
    direction: Direction,
    call: &Call,
) -> Result<Table<S>> {
    let mut table = Table::with_capacity(rows.clone().count());
    call.for_each(rows, |Row { key, pos, neg }| {
        table.push(direction.score(key), pos.len() as u64, neg.len() as u64);
        Ok(())
    })?;
    Ok(table)
}

/// The exact sums of weights and squares in each of the `k` rows.
fn sum_weights<K: Key>(rows: Rows<'_, Weighted<K>>, k: usize, call: &Call) -> Result<Weights> {
    let mut weights = Weights::zeros(k);
    let mut class = ClassSums::default();
    call.for_each(rows.enumerate(), |(i, row)| {
        let columns = [
            (row.pos, &mut weights.pos, &mut weights.pos_sq),
            (row.neg, &mut weights.neg, &mut weights.neg_sq),
        ];
        for (items, sums, squares) in columns {
            match items {
                [] => {}
                [one] => add_one(one.weight, i, k, sums, squares),
                many => {
                    for item in many {
                        class.sum.add(item.weight);
                        class.squares.add_square(item.weight);
                    }
                    class.finish(i, k, sums, squares);
                }
            }
        }
        Ok(())
    })?;
    Ok(weights)
}

/// One weight is its own exact sum, and its rounded square and the error of that are the exact square.
fn add_one(weight: f64, row: usize, k: usize, sums: &mut Expansions, squares: &mut Expansions) {
    let (square, error) = two_prod(weight, weight);
    sums.set(row, k, &[weight]);
    squares.set(row, k, &[square, error][..1 + usize::from(error != 0.0)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::{on, Rng};
    use std::collections::BTreeMap;

    fn some_rows(rng: &mut Rng, n: usize) -> (Vec<f64>, Vec<u8>) {
        let values = [
            0.0,
            -0.0,
            5e-324,
            -5e-324,
            1e308,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1.0,
            1.0 + f64::EPSILON,
        ];
        let scores = (0..n).map(|_| values[rng.below(9) as usize]).collect();
        let positive = (0..n).map(|_| (rng.below(3) * 7 % 5) as u8).collect();
        (scores, positive)
    }

    /// The slow and obvious way: look every score up in an ordered map.
    fn reference(scores: &[f64], positive: &[u8], descending: bool) -> Table<f64> {
        let mut rows: BTreeMap<i64, (f64, u64, u64)> = BTreeMap::new();
        for (&score, &positive) in scores.iter().zip(positive) {
            let score = score + 0.0; // -0.0 becomes 0.0
            let rank = score.to_bits() as i64;
            let rank = if rank < 0 { i64::MIN - rank } else { rank };
            let row = rows.entry(rank).or_insert((score, 0, 0));
            if positive != 0 {
                row.1 += 1
            } else {
                row.2 += 1
            }
        }
        let mut rows: Vec<_> = rows.into_values().collect();
        if descending {
            rows.reverse();
        }
        let mut table = Table::with_capacity(rows.len());
        rows.iter().for_each(|row| table.push(row.0, row.1, row.2));
        table
    }

    #[test]
    fn counts_agree_with_a_map() {
        let mut rng = Rng::new(6);
        for n in 0..200 {
            let (scores, positive) = some_rows(&mut rng, n);
            for descending in [true, false] {
                let table = group(&scores, &positive, None, descending, &on(1)).unwrap();
                assert_eq!(table, reference(&scores, &positive, descending));
                assert_eq!(table.scores.capacity(), table.scores.len());
            }
        }
    }

    #[test]
    fn whole_weights_are_repeated_rows() {
        let mut rng = Rng::new(7);
        for n in 1..100 {
            let (scores, positive) = some_rows(&mut rng, n);
            let weights: Vec<f64> = (0..n).map(|_| rng.below(4) as f64).collect();
            let repeat = |i: usize| std::iter::repeat_n(i, weights[i] as usize);
            let rows: Vec<usize> = (0..n).flat_map(repeat).collect();
            let (s, y): (Vec<f64>, Vec<u8>) =
                rows.iter().map(|&i| (scores[i], positive[i])).unzip();
            let repeated = reference(&s, &y, true);

            let table = group(&scores, &positive, Some(&weights), true, &on(1)).unwrap();
            assert_eq!(table.scores, repeated.scores);
            let sums = table.weights.unwrap();
            let as_floats = |counts: &[u64]| counts.iter().map(|&c| c as f64).collect::<Vec<_>>();
            assert_eq!(
                (sums.pos.components, sums.pos.data),
                (1, as_floats(&repeated.pos))
            );
            assert_eq!(
                (sums.neg.components, sums.neg.data),
                (1, as_floats(&repeated.neg))
            );
        }
    }

    #[test]
    fn weights_and_squares_are_exact() {
        let (e, score) = (2f64.powi(-60), [1.0; 3]);
        let table = group(
            &score,
            &[1, 1, 0],
            Some(&[1.0, e, 1.0 + f64::EPSILON]),
            true,
            &on(1),
        )
        .unwrap();
        let sums = table.weights.unwrap();
        assert_eq!((table.pos, table.neg), (vec![2], vec![1]));
        assert_eq!((sums.pos.components, sums.pos.data), (2, vec![1.0, e]));
        assert_eq!(sums.pos_sq.data, [1.0, e * e]);
        assert_eq!(
            sums.neg_sq.data,
            [1.0 + 2.0 * f64::EPSILON, f64::EPSILON * f64::EPSILON]
        );
    }

    #[test]
    fn order_and_threads_leave_no_trace() {
        let mut rng = Rng::new(8);
        let n = 600_000;
        let mut rows: Vec<(f32, u8, f64)> = (0..n)
            .map(|_| (rng.below(1000) as f32, rng.below(2) as u8, rng.unit()))
            .collect();
        let table = |rows: &[(f32, u8, f64)], threads| {
            let scores: Vec<f32> = rows.iter().map(|r| r.0).collect();
            let positive: Vec<u8> = rows.iter().map(|r| r.1).collect();
            let weights: Vec<f64> = rows.iter().map(|r| r.2).collect();
            group(&scores, &positive, Some(&weights), true, &on(threads)).unwrap()
        };
        let first = table(&rows, 1);
        rng.shuffle(&mut rows);
        assert_eq!(table(&rows, 3), first);
    }

    #[test]
    fn bad_columns_are_refused() {
        assert_eq!(group(&[1.0], &[], None, true, &on(1)), Err(Error::Length));
        assert_eq!(
            group(&[1.0], &[1], Some(&[]), true, &on(1)),
            Err(Error::Length)
        );
        assert_eq!(
            group(&[1.0, f64::NAN], &[1, 0], None, true, &on(1)),
            Err(Error::Nan)
        );
        let absent = group(&[1.0, f64::NAN], &[1, 0], Some(&[1.0, 0.0]), true, &on(1)).unwrap();
        assert_eq!(absent.scores, [1.0]);
    }
}
