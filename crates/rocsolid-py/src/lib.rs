//! The module `rocsolid._kernel`: buffers in, arrays out.
//!
//! Each function borrows NumPy arrays, releases the interpreter, calls `rocsolid-core` and hands its vectors to NumPy
//! without a copy. What the numbers mean is said there; what may come in is checked by `rocsolid` in Python.

mod arrays;
mod columns;
mod curves;
mod interrupt;
mod labels;
mod resample;
mod rows;
mod segments;
mod simplify;
mod tables;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rocsolid_core::{
    area,
    fast::{self, Path},
    weighted, Error,
};

use arrays::{table_into_py, view, with_scores, Scores, WeightArrays};
use interrupt::interruptible;

type Counts<'py> = PyReadonlyArray1<'py, u64>;

/// The exception for an error of the core.
fn raise(error: Error) -> PyErr {
    match error {
        Error::Length | Error::Nan | Error::Weight => PyValueError::new_err(error.to_string()),
        Error::CountOverflow | Error::TooMany => PyOverflowError::new_err(error.to_string()),
        Error::Memory => PyMemoryError::new_err(error.to_string()),
        Error::Interrupted => PyKeyboardInterrupt::new_err(error.to_string()),
    }
}

/// Count positives and negatives per distinct score.
#[pyfunction]
fn group<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    descending: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let positive = positive.as_slice()?;
    let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
    with_scores!(scores, |s| {
        let table = interruptible(py, threads, |call| match weights {
            None => fast::group(Path::Auto, s, positive, descending, call),
            weights => rocsolid_core::group(s, positive, weights, descending, call),
        })?;
        table_into_py(py, table)
    })
}

/// As `group`, without weights, by a path that a test or a measurement names.
#[pyfunction]
fn group_by<'py>(
    py: Python<'py>,
    path: &str,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    descending: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let (path, positive) = (path_named(path)?, positive.as_slice()?);
    with_scores!(scores, |s| {
        let table = interruptible(py, threads, |call| {
            fast::group(path, s, positive, descending, call)
        })?;
        table_into_py(py, table)
    })
}

fn path_named(name: &str) -> PyResult<Path> {
    let named = Path::ALL.into_iter().find(|path| path.name() == name);
    named.ok_or_else(|| PyValueError::new_err("no such path"))
}

/// Add up the rows of each distinct score.
#[pyfunction]
fn combine<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    pos: Counts<'py>,
    neg: Counts<'py>,
    weights: Option<WeightArrays<'py>>,
    descending: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let (pos, neg) = (pos.as_slice()?, neg.as_slice()?);
    let weights = weights.as_ref().map(WeightArrays::views).transpose()?;
    with_scores!(scores, |s| {
        let call = || rocsolid_core::combine(s, pos, neg, weights, descending);
        table_into_py(py, py.detach(call).map_err(raise)?)
    })
}

/// Twice U and both sums of squared placements, or None beyond 128 bits.
#[pyfunction]
fn roc_sums(
    py: Python<'_>,
    pos: Counts<'_>,
    neg: Counts<'_>,
) -> PyResult<Option<(u128, u128, u128)>> {
    let (pos, neg) = (pos.as_slice()?, neg.as_slice()?);
    let sums = py.detach(|| area::roc_sums(pos, neg)).map_err(raise)?;
    Ok(sums.map(|s| (s.u2, s.a2, s.b2)))
}

/// Average precision, or None without positives or beyond 64 bits.
#[pyfunction]
fn average_precision(py: Python<'_>, pos: Counts<'_>, neg: Counts<'_>) -> PyResult<Option<f64>> {
    let (pos, neg) = (pos.as_slice()?, neg.as_slice()?);
    py.detach(|| area::average_precision(pos, neg))
        .map_err(raise)
}

/// ROC area and average precision of weight sums.
#[pyfunction]
fn weighted_areas(
    py: Python<'_>,
    pos: PyReadonlyArray2<'_, f64>,
    neg: PyReadonlyArray2<'_, f64>,
) -> PyResult<(f64, f64)> {
    let (pos, neg) = (view(&pos)?, view(&neg)?);
    py.detach(|| weighted::areas_of_table(pos, neg))
        .map_err(raise)
}

/// Whether all weights are finite and none is negative.
#[pyfunction]
fn are_weights(weights: PyReadonlyArray1<'_, f64>) -> PyResult<bool> {
    Ok(fast::weighted::are_weights(weights.as_slice()?))
}

/// ROC area and average precision of weighted rows, without a table.
#[pyfunction]
fn weighted_areas_of_rows<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: PyReadonlyArray1<'py, f64>,
    threads: usize,
) -> PyResult<(f64, f64)> {
    weighted_areas_by(py, "auto", scores, positive, weights, threads)
}

/// As `weighted_areas_of_rows`, by a path that a test or a measurement names.
#[pyfunction]
fn weighted_areas_by<'py>(
    py: Python<'py>,
    path: &str,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: PyReadonlyArray1<'py, f64>,
    threads: usize,
) -> PyResult<(f64, f64)> {
    let (path, positive, weights) = (path_named(path)?, positive.as_slice()?, weights.as_slice()?);
    with_scores!(scores, |s| {
        interruptible(py, threads, |call| {
            fast::weighted::areas(path, s, positive, weights, call)
        })
    })
}

/// Twice U, both class sizes and average precision, without a table.
#[pyfunction]
fn areas<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
) -> PyResult<(u128, u64, u64, f64)> {
    areas_by(py, "auto", scores, positive, threads)
}

/// As `areas`, by a path that a test or a measurement names.
#[pyfunction]
fn areas_by<'py>(
    py: Python<'py>,
    path: &str,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
) -> PyResult<(u128, u64, u64, f64)> {
    let (path, positive) = (path_named(path)?, positive.as_slice()?);
    let areas = with_scores!(scores, |s| {
        interruptible(py, threads, |call| fast::areas(path, s, positive, call))?
    });
    Ok((areas.u2, areas.n_pos, areas.n_neg, areas.ap))
}

/// How often each path was taken: (task, path, dtype, threads, calls).
#[pyfunction]
fn path_counts() -> Vec<fast::PathCount> {
    fast::path_counts()
}

/// Exact counting for ROC and precision-recall evaluation. Private: use `rocsolid`.
#[pymodule(name = "_kernel", gil_used = false)]
mod kernel {
    #[pymodule_export]
    use super::{
        are_weights, areas, areas_by, average_precision, combine, group, group_by, path_counts,
        roc_sums, weighted_areas, weighted_areas_by, weighted_areas_of_rows,
    };

    #[pymodule_export]
    use crate::columns::{
        areas_of_columns, areas_of_matrix, weighted_areas_of_columns, weighted_areas_of_matrix,
    };

    #[pymodule_export]
    use crate::curves::curve;
    #[pymodule_export]
    use crate::segments::areas_of_groups;
    #[pymodule_export]
    use crate::simplify::Simplifier;

    #[pymodule_export]
    use crate::labels::{areas_of_labels, flags};

    #[pymodule_export]
    use crate::tables::areas_of_tables;

    #[pymodule_export]
    use crate::rows::{ap_influence, placement_sums, placements, ranks};

    #[pymodule_export]
    use crate::resample::{resample, resample_counts, resample_rows};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
