//! Labels as they come: booleans and numbers.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use rocsolid_core::{fast, Call};

use crate::arrays::{with_scores, Scores};
use crate::interrupt::interruptible;
use crate::raise;

/// Evaluates a body with the labels as a slice, if their dtype is one of those named and they are contiguous.
macro_rules! with_labels {
    ($labels:expr, [$($number:ty)*], |$slice:ident| $body:expr) => {{
        $(if let Ok(array) = $labels.cast::<PyArray1<$number>>() {
            let array = array.try_readonly()?;
            let Ok($slice) = array.as_slice() else {
                return Ok(None);
            };
            return $body;
        })*
        Ok(None)
    }};
}

/// Which labels are 1, how many, and the other one.
type Flags<'py> = (Bound<'py, PyArray1<u8>>, usize, Option<i8>);

/// Flags of 0/1 and -1/1 labels.
#[pyfunction]
pub fn flags<'py>(py: Python<'py>, labels: Bound<'py, PyAny>) -> PyResult<Option<Flags<'py>>> {
    with_labels!(labels, [i64 bool f64 u8 i32 f32 i8 i16 u16 u32 u64], |labels| {
        let work = || {
            let mut flags = vec![0; labels.len()];
            let found = fast::flags(labels, &mut flags)?;
            Ok(found.map(|found| (flags, found)))
        };
        let read = py.detach(work).map_err(raise)?;
        Ok(read.map(|(flags, found)| (flags.into_pyarray(py), found.n_pos, found.other)))
    })
}

/// Both areas, in the same call.
#[pyfunction]
pub fn areas_of_labels<'py>(
    py: Python<'py>,
    scores: Scores<'py>,
    labels: Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<Option<(u128, u64, u64, f64)>> {
    with_scores!(scores, |s| {
        with_labels!(labels, [i64 bool f64 u8 i32 f32 i8 i16 u16 u32 u64], |labels| {
            let work = |call: &Call| fast::areas_of_labels(s, labels, call);
            let areas = interruptible(py, threads, work)?;
            Ok(areas.map(|a| (a.u2, a.n_pos, a.n_neg, a.ap)))
        })
    })
}
