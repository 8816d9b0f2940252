//! Areas of many columns of scores against one column of labels.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rocsolid_core::area::Areas;
use rocsolid_core::{fast, Call, Error, Result, Score};

use crate::arrays::{whole_steps, Scores};
use crate::interrupt::interruptible;

/// ROC areas, average precisions, positives and negatives.
type Columns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    u64,
    u64,
);

/// ROC areas and average precisions of weighted columns.
type WeightedColumns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Evaluates a body with all columns as slices of one type.
macro_rules! with_columns {
    ($columns:expr, $default:expr, |$slices:ident| $body:expr) => {{
        macro_rules! of_kind {
            ($kind:ident) => {{
                let columns = $columns.iter().map(|column| match column {
                    Scores::$kind(array) => Ok(array.as_slice()?),
                    _ => Err(PyTypeError::new_err("columns differ in dtype")),
                });
                let $slices: Vec<_> = columns.collect::<PyResult<_>>()?;
                $body
            }};
        }
        match $columns.first() {
            None => $default,
            Some(Scores::F32(_)) => of_kind!(F32),
            Some(Scores::F64(_)) => of_kind!(F64),
            Some(Scores::I64(_)) => of_kind!(I64),
            Some(Scores::U64(_)) => of_kind!(U64),
        }
    }};
}

/// Evaluates a body with a matrix, whatever its dtype.
macro_rules! with_matrix {
    ($matrix:expr, |$typed:ident| $body:expr) => {
        if let Ok($typed) = $matrix.cast::<PyArray2<f64>>() {
            $body
        } else if let Ok($typed) = $matrix.cast::<PyArray2<f32>>() {
            $body
        } else if let Ok($typed) = $matrix.cast::<PyArray2<i64>>() {
            $body
        } else if let Ok($typed) = $matrix.cast::<PyArray2<u64>>() {
            $body
        } else {
            Err(PyTypeError::new_err(
                "not a float64, float32, int64 or uint64 matrix",
            ))
        }
    };
}

/// ROC area and average precision of each column.
#[pyfunction]
pub fn areas_of_columns<'py>(
    py: Python<'py>,
    columns: Vec<Scores<'py>>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let labels = positive.as_slice()?;
    with_columns!(columns, areas_into_py(py, Vec::new()), |columns| {
        let work = |call: &Call| fast::areas_of_columns(&columns, labels, call);
        areas_into_py(py, interruptible(py, threads, work)?)
    })
}

/// The same of weighted rows.
#[pyfunction]
pub fn weighted_areas_of_columns<'py>(
    py: Python<'py>,
    columns: Vec<Scores<'py>>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: PyReadonlyArray1<'py, f64>,
    threads: usize,
) -> PyResult<WeightedColumns<'py>> {
    let (labels, weights) = (positive.as_slice()?, weights.as_slice()?);
    with_columns!(columns, Ok(pairs_into_py(py, Vec::new())), |columns| {
        let work = |call: &Call| fast::weighted::areas_of_columns(&columns, labels, weights, call);
        Ok(pairs_into_py(py, interruptible(py, threads, work)?))
    })
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
    with_matrix!(matrix, |matrix| {
        let areas = of_matrix(
            py,
            matrix,
            threads,
            |scores, width, call| fast::areas_of_rows(scores, width, labels, call),
            |columns, call| fast::areas_of_columns(columns, labels, call),
        );
        areas_into_py(py, areas?)
    })
}

/// The same of weighted rows.
#[pyfunction]
pub fn weighted_areas_of_matrix<'py>(
    py: Python<'py>,
    matrix: Bound<'py, PyAny>,
    positive: PyReadonlyArray1<'py, u8>,
    weights: PyReadonlyArray1<'py, f64>,
    threads: usize,
) -> PyResult<WeightedColumns<'py>> {
    let (labels, weights) = (positive.as_slice()?, weights.as_slice()?);
    with_matrix!(matrix, |matrix| {
        let areas = of_matrix(
            py,
            matrix,
            threads,
            |scores, width, call| {
                fast::weighted::areas_of_rows(scores, width, labels, weights, call)
            },
            |columns, call| fast::weighted::areas_of_columns(columns, labels, weights, call),
        );
        Ok(pairs_into_py(py, areas?))
    })
}

/// What is asked of each column, by one way for a matrix that lies row by row, and by one for columns.
fn of_matrix<S: Score + Element, R: Send>(
    py: Python<'_>,
    matrix: &Bound<'_, PyArray2<S>>,
    threads: usize,
    of_rows: impl FnOnce(&[S], usize, &Call) -> Result<Vec<R>> + Send,
    of_columns: impl FnOnce(&[&[S]], &Call) -> Result<Vec<R>> + Send,
) -> PyResult<Vec<R>> {
    let matrix = matrix.try_readonly()?;
    whole_steps(&matrix)?;
    let view = matrix.as_array();
    let ([rows, width], columns) = ([view.nrows(), view.ncols()], view.reversed_axes());
    if let Some(scores) = view.to_slice() {
        interruptible(py, threads, |call| of_rows(scores, width, call))
    } else if let Some(scores) = columns.to_slice() {
        interruptible(py, threads, |call| {
            let columns: Vec<_> = scores.chunks(rows.max(1)).collect();
            check_width(columns.len(), width)?;
            of_columns(&columns, call)
        })
    } else {
        Err(PyValueError::new_err("the matrix is not contiguous"))
    }
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

fn pairs_into_py(py: Python<'_>, areas: Vec<(f64, f64)>) -> WeightedColumns<'_> {
    let (auc, ap): (Vec<f64>, Vec<f64>) = areas.into_iter().unzip();
    (auc.into_pyarray(py), ap.into_pyarray(py))
}
