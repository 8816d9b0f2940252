//! Bootstrap replicates.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocsolid_core::resample::{Plan, Replicates, Scheme};
use rocsolid_core::{paired, resample as core};

use crate::interrupt::interruptible;
use crate::{raise, Counts};

fn scheme_named(name: &str) -> PyResult<Scheme> {
    Scheme::named(name).ok_or_else(|| PyValueError::new_err("no such scheme"))
}

/// ROC areas, average precisions, and the number of replicates without one of the classes.
type Areas<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, usize);

/// Both areas of bootstrap replicates of a table.
#[pyfunction]
pub fn resample<'py>(
    py: Python<'py>,
    pos: Counts<'py>,
    neg: Counts<'py>,
    n_resamples: usize,
    seed: u64,
    scheme: &str,
    threads: usize,
) -> PyResult<Areas<'py>> {
    let (pos, neg) = (pos.as_slice()?, neg.as_slice()?);
    let plan = Plan {
        seed,
        n_resamples,
        scheme: scheme_named(scheme)?,
    };
    let found = interruptible(py, threads, |call| core::resample(pos, neg, plan, call))?;
    let (auc, ap) = (found.auc.into_pyarray(py), found.ap.into_pyarray(py));
    Ok((auc, ap, found.degenerate))
}

/// Positives and negatives per row of a table.
type TableCounts<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

/// The counts of one replicate of a table.
#[pyfunction]
pub fn resample_counts<'py>(
    py: Python<'py>,
    pos: Counts<'py>,
    neg: Counts<'py>,
    seed: u64,
    replicate: u64,
    scheme: &str,
) -> PyResult<TableCounts<'py>> {
    let (pos, neg) = (pos.as_slice()?, neg.as_slice()?);
    let scheme = scheme_named(scheme)?;
    let call = || core::resample_counts(pos, neg, seed, replicate, scheme);
    let (pos, neg) = py.detach(call).map_err(raise)?;
    Ok((pos.into_pyarray(py), neg.into_pyarray(py)))
}

/// As [`Areas`], with a row for each model.
type ModelAreas<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, usize);

/// Both areas of several models in bootstrap replicates of their rows.
#[pyfunction]
pub fn resample_rows<'py>(
    py: Python<'py>,
    ranks: Vec<PyReadonlyArray1<'py, u32>>,
    positive: PyReadonlyArray1<'py, u8>,
    n_resamples: usize,
    seed: u64,
    scheme: &str,
    threads: usize,
) -> PyResult<ModelAreas<'py>> {
    let ranks = ranks.iter().map(|ranks| ranks.as_slice());
    let ranks = ranks.collect::<std::result::Result<Vec<_>, _>>()?;
    let positive = positive.as_slice()?;
    let plan = Plan {
        seed,
        n_resamples,
        scheme: scheme_named(scheme)?,
    };
    let found = interruptible(py, threads, |call| {
        paired::resample_rows(&ranks, positive, plan, call)
    })?;
    let degenerate = found.first().map_or(0, |model| model.degenerate);
    let auc = stack(py, &found, n_resamples, |model| &model.auc)?;
    let ap = stack(py, &found, n_resamples, |model| &model.ap)?;
    Ok((auc, ap, degenerate))
}

fn stack<'py>(
    py: Python<'py>,
    models: &[Replicates],
    n_resamples: usize,
    areas: impl Fn(&Replicates) -> &[f64],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let all = models.iter().flat_map(areas).copied();
    let array = Array2::from_shape_vec((models.len(), n_resamples), all.collect());
    Ok(array
        .map_err(|error| PyValueError::new_err(error.to_string()))?
        .into_pyarray(py))
}
