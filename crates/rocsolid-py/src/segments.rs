//! Areas within groups of rows.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rocsolid_core::segments::{segments, GroupedRows};

use crate::arrays::{with_scores, Scores};
use crate::interrupt::interruptible;

/// Positives, negatives, twice U, average precision and gain of each group.
#[pyfunction]
pub fn areas_of_groups<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    codes: PyReadonlyArray1<'py, u32>,
    top: usize,
    descending: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let (positive, codes) = (positive.as_slice()?, codes.as_slice()?);
    with_scores!(scores, |s| {
        let rows = GroupedRows {
            scores: s,
            positive,
            codes,
        };
        let found = interruptible(py, threads, |call| segments(rows, top, descending, call))?;
        (
            found.pos.into_pyarray(py),
            found.neg.into_pyarray(py),
            found.twice_u.into_pyarray(py),
            found.average_precision.into_pyarray(py),
            found.ndcg.into_pyarray(py),
        )
            .into_pyobject(py)
    })
}
