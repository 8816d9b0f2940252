//! Both areas of weighted rows, and their table, from the same distribution as of rows that all count alike.
//!
//! The weight travels with the score. A common unit makes weights integers, so sums over buckets and leaves are exact
//! and may be taken in any order (see [`crate::weighted`]). Weights without a unit are sorted.

mod bucket;
mod distribute;
mod item;
mod leaf;
#[cfg(test)]
mod tests;

use super::path::{note, Path, Task};
use super::plan::{Buckets, Sample};
use super::{many, plan, some_buckets, TOO_FEW};
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::subnormals::Subnormals;
use crate::weighted::areas_by_sorting;
use crate::weighted::units::Unit;

/// The ROC area and the average precision; high scores are strict; NaN where undefined.
///
/// A row of weight 0 is absent; [`crate::Error::Weight`] unless weights are finite and not negative. Of the paths
/// named, `Distribute` is one of its own; the others sort. Memory beside the input: a lane and a weight per row.
pub fn areas<S: Score>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    weights: &[f64],
    call: &Call,
) -> Result<(f64, f64)> {
    same_length(&[scores.len(), positive.len(), weights.len()])?;
    call.check()?;
    let _subnormals = Subnormals::seen();
    let range = distribute::range(weights, call)?;
    let unit = Unit::of(range);
    let buckets = match path {
        Path::Auto if scores.len() >= TOO_FEW => plan::buckets_for(2 * scores.len()),
        Path::Distribute if !scores.is_empty() => some_buckets(2 * scores.len()),
        _ => 0,
    };
    if let (Some(unit), 1..) = (unit, buckets) {
        let buckets = Buckets::plan(&Sample::of_weighted(scores, weights)?, buckets);
        if let Some(areas) = distribute::areas(scores, positive, weights, unit, &buckets, call)? {
            note::<S>(Task::WeightedAreas, Path::Distribute, call.threads);
            return Ok(areas);
        }
    }
    note::<S>(Task::WeightedAreas, Path::Sort, call.threads);
    areas_by_sorting(scores, positive, weights, call)
}

/// Of each column, as [`super::areas_of_columns`], bit for bit what [`areas`] gives.
pub fn areas_of_columns<S: Score>(
    columns: &[&[S]],
    positive: &[u8],
    weights: &[f64],
    call: &Call,
) -> Result<Vec<(f64, f64)>> {
    let one = |scores: &[S], call: &Call| areas(Path::Auto, scores, positive, weights, call);
    many::each_column(columns, weights.len(), call, one)
}

/// Of each column of a matrix that lies in memory row by row, as [`super::areas_of_rows`].
pub fn areas_of_rows<S: Score>(
    matrix: &[S],
    width: usize,
    positive: &[u8],
    weights: &[f64],
    call: &Call,
) -> Result<Vec<(f64, f64)>> {
    let one = |scores: &[S], call: &Call| areas(Path::Auto, scores, positive, weights, call);
    many::each_column_of_rows(matrix, width, weights.len(), call, one)
}

/// Whether all are finite and none is negative.
pub fn are_weights(weights: &[f64]) -> bool {
    distribute::range(weights, &Call::uninterrupted(1)).is_ok()
}
