//! Both areas of the columns of tables that lie in memory in any way, labels in columns too.
//!
//! Column `j` of the scores goes with column `j` of the labels; the one column of a table of width 1 goes with all of
//! the other's. A task copies as many neighbouring columns as a line of the cache holds, so that each line is read once.

use super::labels::{flags, Found, Label};
use super::many::{one_column, LINE, TILE};
use crate::area::Areas;
use crate::call::{Call, STRIDE};
use crate::error::{Error, Result};
use crate::order::Score;
use crate::parallel::map;

/// A table of values.
pub trait Grid<T>: Sync {
    /// How many rows and columns it has.
    fn shape(&self) -> [usize; 2];

    /// Copies values of a column, from row `first` on.
    fn copy(&self, column: usize, first: usize, to: &mut [T]);
}

/// A table of labels 0 and 1 or -1 and 1.
pub trait LabelGrid: Sync {
    /// How many rows and columns it has.
    fn shape(&self) -> [usize; 2];

    /// Writes the flags of a column, from row `first` on; `None` as for [`flags`]. At most 128 at a time.
    fn read(&self, column: usize, first: usize, to: &mut [u8]) -> Result<Option<Found>>;
}

/// Labels of any type of number.
pub struct Labels<G, T>(pub G, pub std::marker::PhantomData<T>);

impl<T: Label + Default, G: Grid<T>> LabelGrid for Labels<G, T> {
    fn shape(&self) -> [usize; 2] {
        self.0.shape()
    }

    fn read(&self, column: usize, first: usize, to: &mut [u8]) -> Result<Option<Found>> {
        let mut values = [T::default(); TILE];
        let values = values.get_mut(..to.len()).ok_or(Error::Length)?;
        self.0.copy(column, first, values);
        flags(values, to)
    }
}

/// Both areas of each column, high scores being strict; `None` if some labels are neither 0 and 1 nor -1 and 1.
///
/// The results are those of [`super::areas`], bit for bit. Memory beside the input, once per thread: what that needs,
/// and the copies of some columns.
pub fn areas_of_tables<S: Score>(
    scores: &dyn Grid<S>,
    labels: &dyn LabelGrid,
    call: &Call,
) -> Result<Option<Vec<Areas>>> {
    let ([rows, of_scores], [same, of_labels]) = (scores.shape(), labels.shape());
    let width = match (of_scores, of_labels) {
        (a, b) if a == b => a,
        (1, b) => b,
        (a, 1) => a,
        _ => return Err(Error::Length),
    };
    if rows != same {
        return Err(Error::Length);
    }
    let share = width.div_ceil(call.threads.max(1));
    let block = (LINE / size_of::<S>()).min(share).max(1);
    let one_block = |copies: &mut Copies<S>, i| {
        let columns = i * block..width.min((i + 1) * block);
        if !copies.read(scores, labels, columns.clone(), call)? {
            return Ok(None);
        }
        let each = (0..columns.len()).map(|j| {
            let (score, positive) = copies.column(j, rows);
            one_column(score, positive, call)
        });
        each.collect::<Result<Vec<_>>>().map(Some)
    };
    let blocks = 0..width.div_ceil(block);
    let found = map(call, call.threads, blocks, Copies::default, one_block)?;
    let found: Option<Vec<Vec<Areas>>> = found.into_iter().collect();
    Ok(found.map(|blocks| blocks.concat()))
}

/// Some columns of both tables, each by itself.
struct Copies<S> {
    scores: Vec<Vec<S>>,
    positive: Vec<Vec<u8>>,
}

impl<S> Default for Copies<S> {
    fn default() -> Self {
        Copies {
            scores: Vec::new(),
            positive: Vec::new(),
        }
    }
}

impl<S: Score> Copies<S> {
    /// Copies these columns, a tile of rows at a time; tells whether all labels could be read.
    fn read(
        &mut self,
        scores: &dyn Grid<S>,
        labels: &dyn LabelGrid,
        columns: std::ops::Range<usize>,
        call: &Call,
    ) -> Result<bool> {
        let ([rows, of_scores], [_, of_labels]) = (scores.shape(), labels.shape());
        let wanted = |width: usize| if width == 1 { 0..1 } else { columns.clone() };
        let zero = S::of_lane(S::Lane::default());
        room(&mut self.scores, wanted(of_scores).len(), rows, zero)?;
        room(&mut self.positive, wanted(of_labels).len(), rows, 0)?;
        let mut others = vec![None; wanted(of_labels).len()];
        for first in (0..rows).step_by(TILE) {
            if first % STRIDE == 0 {
                call.check()?;
            }
            let tile = first..rows.min(first + TILE);
            for (j, copy) in wanted(of_scores).zip(&mut self.scores) {
                scores.copy(j, first, &mut copy[tile.clone()]);
            }
            let copies = self.positive.iter_mut().zip(&mut others);
            for (j, (copy, other)) in wanted(of_labels).zip(copies) {
                let Some(found) = labels.read(j, first, &mut copy[tile.clone()])? else {
                    return Ok(false);
                };
                let known = other.or(found.other);
                if found.other.is_some_and(|label| known != Some(label)) {
                    return Ok(false);
                }
                *other = known;
            }
        }
        Ok(true)
    }

    /// The scores and flags that go together.
    fn column(&self, j: usize, rows: usize) -> (&[S], &[u8]) {
        // `read` has made room for one column, or for all that were wanted.
        let of = |columns: usize| if columns == 1 { 0 } else { j };
        let scores = &self.scores[of(self.scores.len())];
        (
            &scores[..rows],
            &self.positive[of(self.positive.len())][..rows],
        )
    }
}

/// Room for so many columns, where there is not enough already.
fn room<T: Clone>(copies: &mut Vec<Vec<T>>, columns: usize, rows: usize, fill: T) -> Result<()> {
    copies.resize_with(columns, Vec::new);
    for copy in copies {
        let more = rows.saturating_sub(copy.len());
        copy.try_reserve_exact(more).map_err(|_| Error::Memory)?;
        copy.resize(rows, fill.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{areas, Path};
    use super::*;
    use crate::testing::Rng;
    use std::marker::PhantomData;

    /// Row by row in memory.
    struct ByRow<T>(Vec<T>, [usize; 2]);

    impl<T: Copy + Sync> Grid<T> for ByRow<T> {
        fn shape(&self) -> [usize; 2] {
            self.1
        }

        fn copy(&self, column: usize, first: usize, to: &mut [T]) {
            let from = self.0[first * self.1[1] + column..]
                .iter()
                .step_by(self.1[1]);
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
        }
    }

    fn column<T: Copy>(table: &ByRow<T>, j: usize) -> Vec<T> {
        let j = if table.1[1] == 1 { 0 } else { j };
        table
            .0
            .iter()
            .skip(j)
            .step_by(table.1[1])
            .copied()
            .collect()
    }

    #[test]
    fn columns_are_each_column() {
        let mut rng = Rng::new(80);
        for (of_scores, of_labels) in [(1, 1), (1, 5), (5, 1), (3, 3), (17, 17), (40, 40)] {
            for rows in [1, 127, 128, 700] {
                let mut draw = |n: usize, most: u64| -> Vec<i64> {
                    (0..n).map(|_| rng.below(most) as i64).collect()
                };
                let scores = ByRow(draw(rows * of_scores, 90), [rows, of_scores]);
                let values = ByRow(draw(rows * of_labels, 2), [rows, of_labels]);
                let expected: Vec<_> = (0..of_scores.max(of_labels))
                    .map(|j| {
                        let positive: Vec<u8> =
                            column(&values, j).iter().map(|&v| v as u8).collect();
                        let call = Call::uninterrupted(1);
                        let a = areas(Path::Auto, &column(&scores, j), &positive, &call).unwrap();
                        (a.u2, a.n_pos, a.n_neg, a.ap.to_bits())
                    })
                    .collect();
                let labels = Labels(values, PhantomData);
                for threads in [1, 2, 5] {
                    let call = Call::uninterrupted(threads);
                    let found = areas_of_tables(&scores, &labels, &call).unwrap().unwrap();
                    let found = found
                        .iter()
                        .map(|a| (a.u2, a.n_pos, a.n_neg, a.ap.to_bits()));
                    assert!(found.eq(expected.iter().copied()));
                }
            }
        }
    }

    #[test]
    fn bad_tables_are_refused() {
        let call = Call::uninterrupted(2);
        let table = |values: Vec<f64>, shape| ByRow(values, shape);
        let labels = |values: Vec<f64>, shape| Labels(table(values, shape), PhantomData);
        let scores = table(vec![1.0; 6], [3, 2]);
        let found = |l| areas_of_tables(&scores, &l, &call);
        assert_eq!(found(labels(vec![1.0; 4], [2, 2])), Err(Error::Length));
        assert_eq!(found(labels(vec![1.0; 9], [3, 3])), Err(Error::Length));
        assert_eq!(found(labels(vec![2.0; 6], [3, 2])), Ok(None));
        let nan = table(vec![f64::NAN; 3], [3, 1]);
        let one = labels(vec![1.0; 3], [3, 1]);
        assert_eq!(areas_of_tables(&nan, &one, &call), Err(Error::Nan));
        // A label 0 in one tile and -1 in another one.
        let mut mixed = vec![1.0; 300];
        (mixed[0], mixed[299]) = (0.0, -1.0);
        let scores = table(vec![1.0; 300], [300, 1]);
        let mixed = labels(mixed, [300, 1]);
        assert_eq!(areas_of_tables(&scores, &mixed, &call), Ok(None));
        let stopped = Call::new(2, &|| true);
        assert_eq!(
            areas_of_tables(&scores, &mixed, &stopped),
            Err(Error::Interrupted)
        );
    }
}
