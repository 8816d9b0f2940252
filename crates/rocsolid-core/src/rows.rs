//! One integer for each row, in the order of the input: its placement, or its rank.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::call::Call;
use crate::error::Result;
use crate::order::Score;
use crate::ranking::{Entry, Ranking};

/// One integer for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// All fit 32 bits.
    Narrow(Vec<u32>),
    /// Not all need fit 32 bits.
    Wide(Vec<u64>),
}

/// Twice the placement of each row, from their order: the fallback and the check of [`crate::fast::placements`].
pub(crate) fn placements_by_sorting<S: Score<Key: Into<u64>>>(
    scores: &[S],
    positive: &[u8],
    descending: bool,
    call: &Call,
) -> Result<Column> {
    let ranking = Ranking::new(scores, positive, descending, call)?;
    let (n, n_pos) = (ranking.rows() as u64, ranking.positives());
    let most = 2 * n_pos.max(n - n_pos); // a vector has fewer than 2^61 entries
    Ok(if u32::try_from(most).is_ok() {
        Column::Narrow(placed(&ranking, call)?)
    } else {
        Column::Wide(placed(&ranking, call)?)
    })
}

fn placed<T: Cell>(ranking: &Ranking, call: &Call) -> Result<Vec<T>> {
    let n_neg = ranking.rows() as u64 - ranking.positives();
    let mut cells = Vec::new();
    cells.resize_with(ranking.rows(), T::Shared::default);
    ranking.visit(call, |bucket, entries| {
        let mut pos_above = bucket.pos_above;
        let mut neg_above = bucket.rows_above - bucket.pos_above;
        for tied in entries.chunk_by(|_, next| !next.starts()) {
            let pos = tied
                .iter()
                .map(|entry| u64::from(entry.positive()))
                .sum::<u64>();
            let neg = tied.len() as u64 - pos;
            let of_neg = 2 * pos_above + pos;
            let of_pos = 2 * (n_neg - neg_above) - neg;
            for entry in tied {
                let twice = if entry.positive() { of_pos } else { of_neg };
                T::set(&cells[entry.row()], twice);
            }
            pos_above += pos;
            neg_above += neg;
        }
    })?;
    Ok(cells.into_iter().map(T::get).collect())
}

/// The rank of each row's score among the distinct scores, from 0 for the strictest; and how many of them there are.
pub fn ranks<S: Score<Key: Into<u64>>>(
    scores: &[S],
    descending: bool,
    call: &Call,
) -> Result<(Column, usize)> {
    // Labels do not matter here; any will do.
    let ranking = Ranking::new(scores, &vec![0; scores.len()], descending, call)?;
    let entries = ranking.entries(call)?;
    let distinct = entries.iter().filter(|entry| entry.starts()).count();
    let column = if u32::try_from(distinct).is_ok() {
        Column::Narrow(ranked(&entries, |rank| rank as u32))
    } else {
        Column::Wide(ranked(&entries, |rank| rank))
    };
    Ok((column, distinct))
}

fn ranked<T: Copy + Default>(entries: &[Entry], fit: impl Fn(u64) -> T) -> Vec<T> {
    let (mut ranks, mut distinct) = (vec![T::default(); entries.len()], 0);
    for entry in entries {
        distinct += u64::from(entry.starts());
        ranks[entry.row()] = fit(distinct - 1); // the first entry starts a score
    }
    ranks
}

/// An integer that several threads can write, each in other rows: an atomic one, though nobody waits for anybody.
trait Cell: Sized {
    type Shared: Default + Send + Sync;

    /// Writes a value that fits.
    fn set(shared: &Self::Shared, value: u64);

    /// What was written.
    fn get(shared: Self::Shared) -> Self;
}

impl Cell for u32 {
    type Shared = AtomicU32;

    #[inline]
    fn set(shared: &AtomicU32, value: u64) {
        shared.store(value as u32, Ordering::Relaxed);
    }

    #[inline]
    fn get(shared: AtomicU32) -> u32 {
        shared.into_inner()
    }
}

impl Cell for u64 {
    type Shared = AtomicU64;

    #[inline]
    fn set(shared: &AtomicU64, value: u64) {
        shared.store(value, Ordering::Relaxed);
    }

    #[inline]
    fn get(shared: AtomicU64) -> u64 {
        shared.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::{on, Rng};

    fn narrow(column: Column) -> Vec<u32> {
        match column {
            Column::Narrow(values) => values,
            Column::Wide(_) => panic!("small data need few bits"),
        }
    }

    /// The slow and obvious way: compare with every row of the other class.
    fn compared(scores: &[i64], positive: &[u8], descending: bool) -> Vec<u32> {
        let twice = |i: usize, j: usize| {
            let (pos, neg) = if positive[i] != 0 { (i, j) } else { (j, i) };
            let apart = if descending {
                scores[pos].cmp(&scores[neg])
            } else {
                scores[neg].cmp(&scores[pos])
            };
            (apart as i32 + 1) as u32
        };
        let others =
            |i: usize| (0..scores.len()).filter(move |&j| (positive[j] != 0) != (positive[i] != 0));
        (0..scores.len())
            .map(|i| others(i).map(|j| twice(i, j)).sum())
            .collect()
    }

    #[test]
    fn placements_agree_with_comparisons() {
        let mut rng = Rng::new(44);
        for round in 0..400 {
            let (n, distinct) = (rng.below(70) as usize, 1 + rng.below(70));
            let scores: Vec<i64> = (0..n).map(|_| rng.below(distinct) as i64 - 5).collect();
            let positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8 * 3).collect();
            let descending = round % 2 == 0;
            let found = placements_by_sorting(&scores, &positive, descending, &on(1)).unwrap();
            assert_eq!(narrow(found), compared(&scores, &positive, descending));
        }
    }

    #[test]
    fn ranks_are_dense() {
        let scores = [2.0, -0.0, 5.0, 0.0, 2.0, f64::INFINITY];
        let (down, distinct) = ranks(&scores, true, &on(1)).unwrap();
        assert_eq!((narrow(down), distinct), (vec![2, 3, 1, 3, 2, 0], 4));
        let (up, _) = ranks(&scores, false, &on(1)).unwrap();
        assert_eq!(narrow(up), [1, 0, 2, 0, 1, 3]);
        assert_eq!(
            ranks::<f32>(&[], true, &on(1)).unwrap(),
            (Column::Narrow(vec![]), 0)
        );
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let mut rng = Rng::new(45);
        let n = 300_000;
        let scores: Vec<f64> = (0..n).map(|_| (rng.unit() * 1e5).round() - 5e4).collect();
        let positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8).collect();
        let expected = placements_by_sorting(&scores, &positive, true, &on(1)).unwrap();
        let rank = ranks(&scores, true, &on(1)).unwrap();
        for threads in [0, 2, 3, 5] {
            assert_eq!(
                placements_by_sorting(&scores, &positive, true, &on(threads)).unwrap(),
                expected
            );
            assert_eq!(ranks(&scores, true, &on(threads)).unwrap(), rank);
        }
        let u2: u128 = narrow(expected.clone())
            .iter()
            .zip(&positive)
            .map(|(&a, &y)| u128::from(a) * u128::from(y))
            .sum();
        assert_eq!(
            u2,
            crate::area::areas_by_sorting(&scores, &positive, &on(2))
                .unwrap()
                .u2
        );
        let ranking = Ranking::new(&scores, &positive, true, &on(2)).unwrap();
        let wide: Vec<u64> = placed(&ranking, &on(2)).unwrap();
        assert!(wide
            .iter()
            .zip(narrow(expected))
            .all(|(&a, b)| a == u64::from(b)));
    }

    #[test]
    fn bad_columns_are_refused() {
        assert_eq!(
            placements_by_sorting(&[1.0], &[], true, &on(1)),
            Err(Error::Length)
        );
        assert_eq!(
            placements_by_sorting(&[f32::NAN], &[1], true, &on(1)),
            Err(Error::Nan)
        );
        assert_eq!(ranks(&[f64::NAN], true, &on(1)), Err(Error::Nan));
    }
}
