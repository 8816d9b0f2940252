//! Both areas of many columns of scores against one column of labels, a column a task.

use super::{areas, Path};
use crate::area::Areas;
use crate::call::{Call, STRIDE};
use crate::error::{same_length, Error, Result};
use crate::order::Score;
use crate::parallel::map;

/// A line of the cache, in bytes: columns that lie side by side in one are read together.
pub(super) const LINE: usize = 64;
/// Rows whose lines are in the cache together while they are copied.
pub(super) const TILE: usize = 128;

/// Both areas of each column; high scores are strict. Every column has as many rows as there are labels.
///
/// The results are those of [`areas`], bit for bit. Columns share the threads, unless there are fewer columns than
/// threads: then the threads share each column. Memory beside the input: what [`areas`] needs, once per thread.
pub fn areas_of_columns<S: Score>(
    columns: &[&[S]],
    positive: &[u8],
    call: &Call,
) -> Result<Vec<Areas>> {
    let one = |scores: &[S], call: &Call| areas(Path::Auto, scores, positive, call);
    each_column(columns, positive.len(), call, one)
}

/// Whatever is asked of each column of so many rows.
pub(super) fn each_column<S: Score, R: Send>(
    columns: &[&[S]],
    rows: usize,
    call: &Call,
    one: impl Fn(&[S], &Call) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let lengths: Vec<usize> = columns.iter().map(|column| column.len()).collect();
    same_length(&[&lengths[..], &[rows]].concat())?;
    if columns.len() < call.threads {
        return columns.iter().map(|column| one(column, call)).collect();
    }
    let alone = |(): &mut (), column: &&[S]| alone(call, |call| one(column, call));
    map(call, call.threads, columns, || (), alone)
}

/// As [`areas_of_columns`], of a matrix of `width` columns that lies in memory row by row.
///
/// Some columns at a time are copied to where each lies by itself. Memory beside the input: as above, and together
/// these copies, which are at most as large as the input.
pub fn areas_of_rows<S: Score>(
    matrix: &[S],
    width: usize,
    positive: &[u8],
    call: &Call,
) -> Result<Vec<Areas>> {
    let one = |scores: &[S], call: &Call| areas(Path::Auto, scores, positive, call);
    each_column_of_rows(matrix, width, positive.len(), call, one)
}

/// Whatever is asked of each column of a matrix of so many rows that lies in memory row by row.
pub(super) fn each_column_of_rows<S: Score, R: Send>(
    matrix: &[S],
    width: usize,
    rows: usize,
    call: &Call,
    one: impl Fn(&[S], &Call) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    if rows.checked_mul(width) != Some(matrix.len()) {
        return Err(Error::Length);
    }
    // As many columns as a line has, but fewer if a thread would go without.
    let block = (LINE / size_of::<S>())
        .min(width.div_ceil(call.threads.max(1)))
        .max(1);
    let blocks = width.div_ceil(block);
    let one_block = |copies: &mut Vec<S>, i| {
        let columns = i * block..width.min((i + 1) * block);
        let (first, count) = (columns.start, columns.len());
        let stride = transpose(matrix, width, first, count, copies, call)?;
        let columns = copies.chunks(stride).take(count);
        columns
            .map(|copy| alone(call, |call| one(&copy[..rows], call)))
            .collect::<Result<Vec<R>>>()
    };
    let found = map(call, call.threads, 0..blocks, Vec::new, one_block)?;
    Ok(found.into_iter().flatten().collect())
}

/// One column on this thread alone.
pub(super) fn one_column<S: Score>(scores: &[S], positive: &[u8], call: &Call) -> Result<Areas> {
    alone(call, |call| areas(Path::Auto, scores, positive, call))
}

/// A part of a call, on this thread alone.
fn alone<R>(call: &Call, work: impl FnOnce(&Call) -> R) -> R {
    let unwanted = || call.check().is_err();
    work(&Call::new(1, &unwanted))
}

/// Copies neighbouring columns one behind the other, and tells how far they begin from each other.
fn transpose<S: Score>(
    matrix: &[S],
    width: usize,
    first: usize,
    count: usize,
    copies: &mut Vec<S>,
    call: &Call,
) -> Result<usize> {
    // Spare places, so that copies whose length is a power of two do not compete for the same places in the cache.
    let rows = matrix.len() / width;
    let stride = rows + LINE / size_of::<S>();
    let need = stride.checked_mul(count).ok_or(Error::Memory)?;
    let more = need.saturating_sub(copies.len());
    copies.try_reserve_exact(more).map_err(|_| Error::Memory)?;
    copies.resize(need, S::of_lane(S::Lane::default()));
    for (i, tile) in matrix.chunks(TILE * width).enumerate() {
        if i % (STRIDE / TILE) == 0 {
            call.check()?;
        }
        for (j, copy) in copies.chunks_mut(stride).enumerate() {
            let column = tile[first + j..].iter().step_by(width);
            copy[i * TILE..]
                .iter_mut()
                .zip(column)
                .for_each(|(to, &from)| *to = from);
        }
    }
    Ok(stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    fn check(rows: usize, width: usize, threads: usize) {
        let mut rng = Rng::new(60 + width as u64);
        let positive: Vec<u8> = (0..rows).map(|_| rng.below(2) as u8).collect();
        let few = |rng: &mut Rng| rng.below(50) as f32 - 25.0;
        let matrix: Vec<f32> = (0..rows * width).map(|_| few(&mut rng)).collect();
        let columns: Vec<Vec<f32>> = (0..width)
            .map(|j| matrix.iter().skip(j).step_by(width).copied().collect())
            .collect();
        let call = Call::uninterrupted(threads);
        let expected: Vec<Areas> = columns
            .iter()
            .map(|column| areas(Path::Auto, column, &positive, &call).unwrap())
            .collect();
        let columns: Vec<&[f32]> = columns.iter().map(|column| &column[..]).collect();
        let same = |found: Vec<Areas>| {
            let bits = |a: &Areas| (a.u2, a.n_pos, a.n_neg, a.ap.to_bits());
            assert_eq!(found.len(), width);
            assert!(found.iter().map(bits).eq(expected.iter().map(bits)));
        };
        same(areas_of_columns(&columns, &positive, &call).unwrap());
        same(areas_of_rows(&matrix, width, &positive, &call).unwrap());
    }

    #[test]
    fn many_columns_are_each_column() {
        for threads in [0, 1, 2, 5] {
            for width in [0, 1, 2, 15, 16, 17, 40] {
                for rows in [0, 1, 63, 64, 200, 1024] {
                    check(rows, width, threads);
                }
            }
        }
        check(70_000, 3, 2);
    }

    #[test]
    fn bad_columns_are_refused() {
        let call = Call::uninterrupted(2);
        let (one, two) = (vec![1.0], vec![f64::NAN, 1.0]);
        let found = areas_of_columns(&[&two[..], &one[..]], &[1, 0], &call);
        assert_eq!(found, Err(Error::Length));
        assert_eq!(
            areas_of_columns(&[&two[..]], &[1, 0], &call),
            Err(Error::Nan)
        );
        assert_eq!(areas_of_rows(&two, 1, &[1, 0], &call), Err(Error::Nan));
        assert_eq!(areas_of_rows(&two, 1, &[1], &call), Err(Error::Length));
        let stopped = Call::new(2, &|| true);
        assert_eq!(
            areas_of_rows(&[1.0; 8], 4, &[1, 0], &stopped),
            Err(Error::Interrupted)
        );
        assert_eq!(
            areas_of_columns(&[&one[..]; 4], &[1], &stopped),
            Err(Error::Interrupted)
        );
    }
}
