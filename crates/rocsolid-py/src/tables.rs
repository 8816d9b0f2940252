//! Areas of the columns of two tables in any layout: scores and labels.

use std::marker::PhantomData;

use numpy::ndarray::{s, ArrayView2};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rocsolid_core::fast::{self, Grid, LabelGrid, Labels};
use rocsolid_core::Call;
use rocsolid_core::Score;

use crate::arrays::whole_steps;
use crate::interrupt::interruptible;

/// A NumPy array with whatever strides.
struct View<'a, T>(ArrayView2<'a, T>);

impl<T: Copy + Send + Sync> Grid<T> for View<'_, T> {
    fn shape(&self) -> [usize; 2] {
        self.0.dim().into()
    }

    fn copy(&self, column: usize, first: usize, to: &mut [T]) {
        let from = self.0.slice(s![first..first + to.len(), column]);
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
    }
}

/// ROC areas, average precisions, positives and negatives of each column.
type Columns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u64>>,
);

/// ROC area and average precision of each column, or None for labels that are not 0/1 or -1/1.
#[pyfunction]
pub fn areas_of_tables<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<Option<Columns<'py>>> {
    macro_rules! with_labels {
        ($($number:ty)*) => {
            $(if let Ok(array) = labels.cast::<PyArray2<$number>>() {
                let array = array.try_readonly()?;
                whole_steps(&array)?;
                let grid = Labels(View(array.as_array()), PhantomData::<$number>);
                return with_scores(py, &scores, &grid, threads);
            })*
        };
    }
    with_labels!(i64 bool f64 u8 i32 f32 i8 i16 u16 u32 u64);
    Ok(None)
}

fn with_scores<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    labels: &dyn LabelGrid,
    threads: usize,
) -> PyResult<Option<Columns<'py>>> {
    macro_rules! of_kind {
        ($($number:ty)*) => {
            $(if let Ok(array) = scores.cast::<PyArray2<$number>>() {
                return of_scores(py, &array.try_readonly()?, labels, threads);
            })*
        };
    }
    of_kind!(f64 f32 i64 u64);
    Err(PyTypeError::new_err(
        "not a float64, float32, int64 or uint64 matrix",
    ))
}

fn of_scores<'py, S: Score + Element>(
    py: Python<'py>,
    scores: &PyReadonlyArray2<'py, S>,
    labels: &dyn LabelGrid,
    threads: usize,
) -> PyResult<Option<Columns<'py>>> {
    whole_steps(scores)?;
    let scores = View(scores.as_array());
    let work = |call: &Call| fast::areas_of_tables(&scores, labels, call);
    let Some(areas) = interruptible(py, threads, work)? else {
        return Ok(None);
    };
    let auc: Vec<f64> = areas.iter().map(|a| a.auc()).collect();
    let ap: Vec<f64> = areas.iter().map(|a| a.ap).collect();
    let n_pos: Vec<u64> = areas.iter().map(|a| a.n_pos).collect();
    let n_neg: Vec<u64> = areas.iter().map(|a| a.n_neg).collect();
    Ok(Some((
        auc.into_pyarray(py),
        ap.into_pyarray(py),
        n_pos.into_pyarray(py),
        n_neg.into_pyarray(py),
    )))
}
