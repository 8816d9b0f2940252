//! Results for each row, and what several models on the same rows have in common.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rocsolid_core::fast::{self, Path};
use rocsolid_core::gram::{gram, ClassSums, Value};
use rocsolid_core::rows::Column;
use rocsolid_core::{influence, rows, Call};

use crate::arrays::{with_scores, Scores};
use crate::interrupt::interruptible;

/// A uint32 vector, or a uint64 one.
fn column_into_py(py: Python<'_>, column: Column) -> Bound<'_, PyAny> {
    match column {
        Column::Narrow(values) => values.into_pyarray(py).into_any(),
        Column::Wide(values) => values.into_pyarray(py).into_any(),
    }
}

/// Twice the placement of each row.
#[pyfunction]
pub fn placements<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    descending: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let positive = positive.as_slice()?;
    with_scores!(scores, |s| {
        let work = |call: &Call| fast::placements(Path::Auto, s, positive, descending, call);
        Ok(column_into_py(py, interruptible(py, threads, work)?))
    })
}

/// The rank of each row's score among the distinct scores, and their number.
#[pyfunction]
pub fn ranks<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    descending: bool,
    threads: usize,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    with_scores!(scores, |s| {
        let work = |call: &Call| rows::ranks(s, descending, call);
        let (column, distinct) = interruptible(py, threads, work)?;
        Ok((column_into_py(py, column), distinct))
    })
}

/// The raw influence of each row on the average precision.
#[pyfunction]
pub fn ap_influence<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    descending: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let positive = positive.as_slice()?;
    let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
    with_scores!(scores, |s| {
        let work = |call: &Call| influence::ap_influence(s, positive, weights, descending, call);
        Ok(interruptible(py, threads, work)?.into_pyarray(py))
    })
}

/// Vectors of one dtype.
#[derive(FromPyObject)]
pub enum Columns<'py> {
    U32(Vec<PyReadonlyArray1<'py, u32>>),
    U64(Vec<PyReadonlyArray1<'py, u64>>),
}

/// The number of rows, the total of each column and the sums of products of each two.
type PySums = (u64, Vec<u128>, Vec<Vec<u128>>);

/// Sums over the positives and over the negatives, or None beyond 128 bits.
#[pyfunction]
pub fn placement_sums(
    py: Python<'_>,
    placements: Columns<'_>,
    positive: PyReadonlyArray1<'_, u8>,
    threads: usize,
) -> PyResult<Option<(PySums, PySums)>> {
    let positive = positive.as_slice()?;
    match placements {
        Columns::U32(columns) => sums(py, &columns, positive, threads),
        Columns::U64(columns) => sums(py, &columns, positive, threads),
    }
}

fn sums<T: Value + numpy::Element>(
    py: Python<'_>,
    columns: &[PyReadonlyArray1<'_, T>],
    positive: &[u8],
    threads: usize,
) -> PyResult<Option<(PySums, PySums)>> {
    let columns = columns.iter().map(|column| column.as_slice());
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let sums = interruptible(py, threads, |call| gram(&columns, positive, call))?;
    Ok(sums.map(|[pos, neg]| (sums_into_py(pos), sums_into_py(neg))))
}

fn sums_into_py(sums: ClassSums) -> PySums {
    let width = sums.totals.len().max(1);
    let products = sums.products.chunks(width).map(<[u128]>::to_vec);
    (sums.rows, sums.totals, products.collect())
}
