//! Areas of many columns of scores against one column of labels.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rocsolid_core::area::Areas;
use rocsolid_core::{fast, Call, Error, Result, Score};

use crate::arrays::Scores;
use crate::interrupt::interruptible;

/// ROC areas, average precisions, positives and negatives.
type Columns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    u64,
    u64,
);

/// ROC area and average precision of each column.
#[pyfunction]
pub fn areas_of_columns<'py>(
    py: Python<'py>,
    columns: Vec<Scores<'py>>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let labels = positive.as_slice()?;
    macro_rules! of_kind {
        ($kind:ident) => {{
            let columns = columns.iter().map(|column| match column {
                Scores::$kind(array) => Ok(array.as_slice()?),
                _ => Err(PyTypeError::new_err("columns differ in dtype")),
            });
            let columns: Vec<_> = columns.collect::<PyResult<_>>()?;
            let work = |call: &Call| fast::areas_of_columns(&columns, labels, call);
            areas_into_py(py, interruptible(py, threads, work)?)
        }};
    }
    match columns.first() {
        None => areas_into_py(py, Vec::new()),
        Some(Scores::F32(_)) => of_kind!(F32),
        Some(Scores::F64(_)) => of_kind!(F64),
        Some(Scores::I64(_)) => of_kind!(I64),
        Some(Scores::U64(_)) => of_kind!(U64),
    }
}

/// ROC area and average precision of each column of a matrix in either order.
#[pyfunction]
pub fn areas_of_matrix<'py>(
    py: Python<'py>,
    matrix: Bound<'py, PyAny>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let labels = positive.as_slice()?;
    if let Ok(matrix) = matrix.cast::<PyArray2<f64>>() {
        of_matrix(py, matrix, labels, threads)
    } else if let Ok(matrix) = matrix.cast::<PyArray2<f32>>() {
        of_matrix(py, matrix, labels, threads)
    } else if let Ok(matrix) = matrix.cast::<PyArray2<i64>>() {
        of_matrix(py, matrix, labels, threads)
    } else if let Ok(matrix) = matrix.cast::<PyArray2<u64>>() {
        of_matrix(py, matrix, labels, threads)
    } else {
        Err(PyTypeError::new_err(
            "not a float64, float32, int64 or uint64 matrix",
        ))
    }
}

fn of_matrix<'py, S: Score + Element>(
    py: Python<'py>,
    matrix: &Bound<'py, PyArray2<S>>,
    labels: &[u8],
    threads: usize,
) -> PyResult<Columns<'py>> {
    let matrix = matrix.try_readonly()?;
    let view = matrix.as_array();
    let ([rows, width], columns) = ([view.nrows(), view.ncols()], view.reversed_axes());
    let areas = if let Some(scores) = view.to_slice() {
        interruptible(py, threads, |call| {
            fast::areas_of_rows(scores, width, labels, call)
        })
    } else if let Some(scores) = columns.to_slice() {
        interruptible(py, threads, |call| {
            let columns: Vec<_> = scores.chunks(rows.max(1)).collect();
            check_width(columns.len(), width)?;
            fast::areas_of_columns(&columns, labels, call)
        })
    } else {
        return Err(PyValueError::new_err("the matrix is not contiguous"));
    };
    areas_into_py(py, areas?)
}

/// Columns without rows leave nothing to divide into them.
fn check_width(found: usize, width: usize) -> Result<()> {
    (found == width).then_some(()).ok_or(Error::Length)
}

fn areas_into_py(py: Python<'_>, areas: Vec<Areas>) -> PyResult<Columns<'_>> {
    let (n_pos, n_neg) = areas.first().map_or((0, 0), |a| (a.n_pos, a.n_neg));
    let auc: Vec<f64> = areas.iter().map(Areas::auc).collect();
    let ap: Vec<f64> = areas.iter().map(|a| a.ap).collect();
    Ok((auc.into_pyarray(py), ap.into_pyarray(py), n_pos, n_neg))
}
