//! From counted rows to a table: counts that came from elsewhere, or several tables end to end.

use crate::error::{same_length, Error, Result};
use crate::order::{Direction, Score};
use crate::table::{ClassSums, ExpansionsView, Table, Weights};

/// Adds up the rows of each distinct score. Rows may come in any order; rows without any count are absent.
///
/// Counts add up in checked integers and weights exactly, so the combination of the tables of all chunks is, to the
/// bit, the table of the whole.
pub fn combine<S: Score>(
    scores: &[S],
    pos: &[u64],
    neg: &[u64],
    weights: Option<Weights<ExpansionsView<'_>>>,
    descending: bool,
) -> Result<Table<S>> {
    same_length(&[scores.len(), pos.len(), neg.len()])?;
    if let Some(weights) = &weights {
        weights.check_rows(scores.len())?;
    }
    let direction = Direction { descending };
    let rows = in_order(scores, pos, neg, direction)?;
    let groups = || rows.chunk_by(|a, b| a.0 == b.0);
    let k = groups().count();

    let mut table = Table::with_capacity(k);
    for group in groups() {
        let score = direction.score(group[0].0); // a chunk is never empty
        table.push(score, add_up(pos, group)?, add_up(neg, group)?);
    }
    table.weights = weights.map(|weights| add_up_weights(&weights, groups(), k));
    Ok(table)
}

/// Keys and places of the rows that count something, strict to lenient.
///
/// The stable sort recognises runs, so tables that are already in order are merged, not sorted.
fn in_order<S: Score>(
    scores: &[S],
    pos: &[u64],
    neg: &[u64],
    direction: Direction,
) -> Result<Vec<(S::Key, usize)>> {
    let mut rows = Vec::with_capacity(scores.len());
    for (i, &score) in scores.iter().enumerate() {
        if pos[i] != 0 || neg[i] != 0 {
            rows.push((direction.key(score)?, i));
        }
    }
    rows.sort_by_key(|&(key, _)| key);
    Ok(rows)
}

fn add_up<K>(counts: &[u64], group: &[(K, usize)]) -> Result<u64> {
    group
        .iter()
        .try_fold(0u64, |sum, &(_, i)| sum.checked_add(counts[i]))
        .ok_or(Error::CountOverflow)
}

/// The exact sums of each of the `k` groups of rows.
fn add_up_weights<'a, K: 'a>(
    parts: &Weights<ExpansionsView<'_>>,
    groups: impl Iterator<Item = &'a [(K, usize)]>,
    k: usize,
) -> Weights {
    let mut whole = Weights::zeros(k);
    let mut class = ClassSums::default();
    for (row, group) in groups.enumerate() {
        add_parts(&mut class, &parts.pos, &parts.pos_sq, group);
        class.finish(row, k, &mut whole.pos, &mut whole.pos_sq);
        add_parts(&mut class, &parts.neg, &parts.neg_sq, group);
        class.finish(row, k, &mut whole.neg, &mut whole.neg_sq);
    }
    whole
}

fn add_parts<K>(
    class: &mut ClassSums,
    sums: &ExpansionsView<'_>,
    squares: &ExpansionsView<'_>,
    group: &[(K, usize)],
) {
    for &(_, i) in group {
        sums.row(i).for_each(|component| class.sum.add(component));
        squares
            .row(i)
            .for_each(|component| class.squares.add(component));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group;
    use crate::testing::{on, Rng};

    /// Tables end to end, combined.
    fn merged(parts: &[Table<f64>], descending: bool) -> Table<f64> {
        let scores: Vec<f64> = parts.iter().flat_map(|t| t.scores.clone()).collect();
        let pos: Vec<u64> = parts.iter().flat_map(|t| t.pos.clone()).collect();
        let neg: Vec<u64> = parts.iter().flat_map(|t| t.neg.clone()).collect();
        let column = |of: fn(&Weights) -> &crate::Expansions| {
            let columns: Vec<_> = parts
                .iter()
                .map(|t| of(t.weights.as_ref().unwrap()))
                .collect();
            let components = columns.iter().map(|c| c.components).max().unwrap_or(1);
            let mut data = Vec::new();
            for c in 0..components {
                for (part, column) in parts.iter().zip(&columns) {
                    let k = part.scores.len();
                    let block = column.data.chunks_exact(k.max(1)).nth(c);
                    data.extend(block.map_or(vec![0.0; k], <[f64]>::to_vec));
                }
            }
            (components, data)
        };
        let columns = [
            column(|w| &w.pos),
            column(|w| &w.neg),
            column(|w| &w.pos_sq),
            column(|w| &w.neg_sq),
        ];
        let [p, n, pp, nn] = columns
            .each_ref()
            .map(|(c, data)| ExpansionsView::new(*c, data).unwrap());
        let weights = Weights {
            pos: p,
            neg: n,
            pos_sq: pp,
            neg_sq: nn,
        };
        combine(&scores, &pos, &neg, Some(weights), descending).unwrap()
    }

    #[test]
    fn merging_the_chunks_is_the_whole() {
        let mut rng = Rng::new(9);
        for round in 0..200 {
            let n = 1 + rng.below(300) as usize;
            let scores: Vec<f64> = (0..n).map(|_| rng.below(20) as f64 - 10.0).collect();
            let positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8).collect();
            let weights: Vec<f64> = (0..n)
                .map(|_| 10f64.powf(rng.unit() * 40.0 - 20.0))
                .collect();
            let descending = round % 2 == 0;
            let part = |rows: std::ops::Range<usize>| {
                group(
                    &scores[rows.clone()],
                    &positive[rows.clone()],
                    Some(&weights[rows]),
                    descending,
                    &on(1),
                )
                .unwrap()
            };
            let size = 1 + rng.below(n as u64) as usize;
            let parts: Vec<_> = (0..n)
                .step_by(size)
                .map(|i| part(i..(i + size).min(n)))
                .collect();
            assert_eq!(merged(&parts, descending), part(0..n));
        }
    }

    #[test]
    fn counts_add_up() {
        let table = combine(
            &[1, 3, 2, 3, 9],
            &[1, 2, 0, 4, 0],
            &[0, 1, 5, 1, 0],
            None,
            true,
        )
        .unwrap();
        assert_eq!(table.scores, [3i64, 2, 1]);
        assert_eq!((table.pos, table.neg), (vec![6, 0, 1], vec![2, 5, 0]));
        assert_eq!(
            combine::<f32>(&[], &[], &[], None, true).unwrap().scores,
            []
        );
    }

    #[test]
    fn bad_columns_are_refused() {
        let full = combine(&[1u64, 1], &[u64::MAX, 1], &[0, 0], None, true);
        assert_eq!(full, Err(Error::CountOverflow));
        assert_eq!(
            combine(&[f64::NAN], &[1], &[0], None, true),
            Err(Error::Nan)
        );
        assert_eq!(combine(&[1.0], &[1], &[], None, true), Err(Error::Length));
        let two = ExpansionsView::new(1, &[1.0, 1.0]).unwrap();
        let weights = Weights {
            pos: two,
            neg: two,
            pos_sq: two,
            neg_sq: two,
        };
        assert_eq!(
            combine(&[1.0], &[1], &[0], Some(weights), true),
            Err(Error::Length)
        );
    }
}
