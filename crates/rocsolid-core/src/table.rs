//! The table that everything is a function of: one row per distinct score, strict to lenient.

use crate::error::{Error, Result};
use crate::exact::ExactSum;

/// Counts per distinct score; with sampling weights, also their sums.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<S> {
    /// Distinct scores, strict to lenient.
    pub scores: Vec<S>,
    /// Positives with this score.
    pub pos: Vec<u64>,
    /// Negatives with this score.
    pub neg: Vec<u64>,
    /// Sums of weights per row, if the data have weights.
    pub weights: Option<Weights>,
}

impl<S> Table<S> {
    /// Room for `k` rows and no more.
    pub(crate) fn with_capacity(k: usize) -> Self {
        Table {
            scores: Vec::with_capacity(k),
            pos: Vec::with_capacity(k),
            neg: Vec::with_capacity(k),
            weights: None,
        }
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn push(&mut self, score: S, pos: u64, neg: u64) {
        self.scores.push(score);
        self.pos.push(pos);
        self.neg.push(neg);
    }
}

/// The four sums of weights, one column each: of `w` and of `w^2` over the positives and the negatives of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights<Column = Expansions> {
    /// Sum of the positives' weights.
    pub pos: Column,
    /// Sum of the negatives' weights.
    pub neg: Column,
    /// Sum of the squares of the positives' weights.
    pub pos_sq: Column,
    /// Sum of the squares of the negatives' weights.
    pub neg_sq: Column,
}

impl Weights {
    /// Zeros for `k` rows.
    pub(crate) fn zeros(k: usize) -> Self {
        Weights {
            pos: Expansions::zeros(k),
            neg: Expansions::zeros(k),
            pos_sq: Expansions::zeros(k),
            neg_sq: Expansions::zeros(k),
        }
    }
}

impl Weights<ExpansionsView<'_>> {
    /// [`Error::Length`] unless every column has `k` rows.
    pub(crate) fn check_rows(&self, k: usize) -> Result<()> {
        let columns = [self.pos, self.neg, self.pos_sq, self.neg_sq];
        let same = columns.iter().all(|column| column.rows() == k);
        same.then_some(()).ok_or(Error::Length)
    }
}

/// A column of exact sums. Component 0 is each sum correctly rounded, the further ones are what that leaves out
/// (see [`crate::exact`]). There are as many components as the longest sum needs, so equal sums are equal arrays.
#[derive(Debug, Clone, PartialEq)]
pub struct Expansions {
    /// How many components each row has, at least 1.
    pub components: usize,
    /// `components` blocks of one value per row.
    pub data: Vec<f64>,
}

impl Expansions {
    fn zeros(k: usize) -> Self {
        Expansions {
            components: 1,
            data: vec![0.0; k],
        }
    }

    /// Writes a row's canonical expansion. `k` is the number of rows.
    pub(crate) fn set(&mut self, row: usize, k: usize, canonical: &[f64]) {
        if canonical.len() > self.components {
            let more = (canonical.len() - self.components) * k;
            self.data.reserve_exact(more);
            self.data.resize(self.data.len() + more, 0.0);
            self.components = canonical.len();
        }
        for (block, &value) in self.data.chunks_exact_mut(k).zip(canonical) {
            block[row] = value;
        }
    }

    /// A look at the whole column.
    pub fn view(&self) -> ExpansionsView<'_> {
        ExpansionsView {
            components: self.components,
            data: &self.data,
        }
    }
}

/// A column of exact sums that someone else owns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpansionsView<'a> {
    components: usize,
    data: &'a [f64],
}

impl<'a> ExpansionsView<'a> {
    /// `components` blocks of equal length, or [`Error::Length`].
    pub fn new(components: usize, data: &'a [f64]) -> Result<Self> {
        let whole_blocks = components > 0 && data.len().is_multiple_of(components);
        whole_blocks
            .then_some(ExpansionsView { components, data })
            .ok_or(Error::Length)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.data.len() / self.components
    }

    /// All components of a row below [`ExpansionsView::rows`].
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = f64> + 'a {
        self.data
            .iter()
            .skip(row)
            .step_by(self.rows().max(1))
            .copied()
    }

    /// The rounded sums, and the first remainders if there are any.
    pub(crate) fn leading(&self) -> (&'a [f64], Option<&'a [f64]>) {
        let (first, rest) = self.data.split_at(self.rows());
        (
            first,
            rest.get(..self.rows()).filter(|_| self.components > 1),
        )
    }
}

/// Sums the weights of one class, row by row, into a pair of columns.
#[derive(Default)]
pub(crate) struct ClassSums {
    /// The sum of the weights in the current row.
    pub sum: ExactSum,
    /// The sum of their squares.
    pub squares: ExactSum,
    canonical: Vec<f64>,
}

impl ClassSums {
    /// Writes the current row and starts the next.
    pub fn finish(
        &mut self,
        row: usize,
        k: usize,
        sums: &mut Expansions,
        squares: &mut Expansions,
    ) {
        self.sum.take_components(&mut self.canonical);
        sums.set(row, k, &self.canonical);
        self.squares.take_components(&mut self.canonical);
        squares.set(row, k, &self.canonical);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_grows_to_its_longest_sum() {
        let mut column = Expansions::zeros(3);
        column.set(1, 3, &[8.0]);
        column.set(2, 3, &[4.0, 2.0, 1.0]);
        column.set(0, 3, &[6.0, 3.0]);
        assert_eq!(column.components, 3);
        assert_eq!(column.data, [6.0, 8.0, 4.0, 3.0, 0.0, 2.0, 0.0, 0.0, 1.0]);
        let rows: Vec<Vec<f64>> = (0..3).map(|row| column.view().row(row).collect()).collect();
        assert_eq!(rows, [[6.0, 3.0, 0.0], [8.0, 0.0, 0.0], [4.0, 2.0, 1.0]]);
        assert_eq!(
            column.view().leading(),
            (&[6.0, 8.0, 4.0][..], Some(&[3.0, 0.0, 2.0][..]))
        );
    }

    #[test]
    fn views_check_their_shape() {
        assert_eq!(ExpansionsView::new(0, &[]), Err(Error::Length));
        assert_eq!(ExpansionsView::new(2, &[1.0, 2.0, 3.0]), Err(Error::Length));
        assert_eq!(ExpansionsView::new(3, &[]).unwrap().rows(), 0);
        assert_eq!(
            ExpansionsView::new(1, &[1.0]).unwrap().leading(),
            (&[1.0][..], None)
        );
    }
}
