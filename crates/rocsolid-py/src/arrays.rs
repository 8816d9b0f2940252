//! NumPy arrays as slices of the core, and its vectors as NumPy arrays.

use numpy::ndarray::Array2;
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rocsolid_core::{Expansions, ExpansionsView, Table, Weights};

use crate::raise;

/// Refuses a matrix whose steps are no whole items, as a field of packed records is: a view would read beside them.
pub fn whole_steps<T: Element>(matrix: &PyReadonlyArray2<'_, T>) -> PyResult<()> {
    let whole = matrix
        .strides()
        .iter()
        .all(|step| step.unsigned_abs().is_multiple_of(size_of::<T>()));
    if whole && matrix.data().is_aligned() {
        return Ok(());
    }
    Err(PyTypeError::new_err(
        "the matrix does not lie on whole items",
    ))
}

/// Scores of one of the dtypes that the core can order.
pub enum Scores<'py> {
    F64(PyReadonlyArray1<'py, f64>),
    F32(PyReadonlyArray1<'py, f32>),
    I64(PyReadonlyArray1<'py, i64>),
    U64(PyReadonlyArray1<'py, u64>),
}

// By hand, because the derived one builds an exception, some microseconds, for each dtype that it tries in vain.
impl<'py> FromPyObject<'_, 'py> for Scores<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArray1<f64>>() {
            Ok(Scores::F64(array.try_readonly()?))
        } else if let Ok(array) = object.cast::<PyArray1<f32>>() {
            Ok(Scores::F32(array.try_readonly()?))
        } else if let Ok(array) = object.cast::<PyArray1<i64>>() {
            Ok(Scores::I64(array.try_readonly()?))
        } else if let Ok(array) = object.cast::<PyArray1<u64>>() {
            Ok(Scores::U64(array.try_readonly()?))
        } else {
            Err(PyTypeError::new_err(
                "not a float64, float32, int64 or uint64 vector",
            ))
        }
    }
}

/// Evaluates a body with the scores as a slice, whatever their dtype.
macro_rules! with_scores {
    ($scores:expr, |$slice:ident| $body:expr) => {
        match &$scores {
            Scores::F32(array) => {
                let $slice = array.as_slice()?;
                $body
            }
            Scores::F64(array) => {
                let $slice = array.as_slice()?;
                $body
            }
            Scores::I64(array) => {
                let $slice = array.as_slice()?;
                $body
            }
            Scores::U64(array) => {
                let $slice = array.as_slice()?;
                $body
            }
        }
    };
}
pub(crate) use with_scores;

/// The columns pos, neg, pos_sq, neg_sq, each of shape (components, rows).
#[derive(FromPyObject)]
pub struct WeightArrays<'py>(
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, f64>,
);

impl WeightArrays<'_> {
    /// The columns as the core sees them.
    pub fn views(&self) -> PyResult<Weights<ExpansionsView<'_>>> {
        Ok(Weights {
            pos: view(&self.0)?,
            neg: view(&self.1)?,
            pos_sq: view(&self.2)?,
            neg_sq: view(&self.3)?,
        })
    }
}

/// A column of exact sums.
pub fn view<'a>(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<ExpansionsView<'a>> {
    let components = array.as_array().nrows();
    ExpansionsView::new(components, array.as_slice()?).map_err(raise)
}

/// The tuple (scores, pos, neg, weights), with weights None or a tuple of four.
pub fn table_into_py<S: Element>(py: Python<'_>, table: Table<S>) -> PyResult<Bound<'_, PyTuple>> {
    let weights = table.weights.map(|w| weights_into_py(py, w)).transpose()?;
    let scores = table.scores.into_pyarray(py);
    let (pos, neg) = (table.pos.into_pyarray(py), table.neg.into_pyarray(py));
    (scores, pos, neg, weights).into_pyobject(py)
}

fn weights_into_py(py: Python<'_>, weights: Weights) -> PyResult<Bound<'_, PyTuple>> {
    let Weights {
        pos,
        neg,
        pos_sq,
        neg_sq,
    } = weights;
    let [pos, neg] = [column(py, pos)?, column(py, neg)?];
    let [pos_sq, neg_sq] = [column(py, pos_sq)?, column(py, neg_sq)?];
    (pos, neg, pos_sq, neg_sq).into_pyobject(py)
}

fn column(py: Python<'_>, sums: Expansions) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let shape = (sums.components, sums.view().rows());
    let array = Array2::from_shape_vec(shape, sums.data);
    Ok(array
        .map_err(|error| PyValueError::new_err(error.to_string()))?
        .into_pyarray(py))
}
