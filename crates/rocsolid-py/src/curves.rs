//! Curves: the coordinates of their points, by name.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rocsolid_core::fast::{self, Curve, Keep, Points, Shape};

use crate::arrays::{with_scores, Scores};
use crate::interrupt::interruptible;
use crate::path_named;

/// A kind of curve: its coordinates by the numbers of negatives and positives and the true and false positives.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident<$columns:literal>, |$n:ident, $p:ident, $tp:ident, $fp:ident| $at:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name {
            neg: f64,
            pos: f64,
        }

        impl $name {
            fn of([neg, pos]: [u64; 2]) -> Self {
                let (neg, pos) = (neg as f64, pos as f64);
                $name { neg, pos }
            }
        }

        impl Shape<$columns> for $name {
            #[inline(always)]
            fn at(&self, $tp: f64, $fp: f64) -> [f64; $columns] {
                let ($n, $p) = (self.neg, self.pos);
                $at
            }
        }
    };
}

kind!(
    /// False and true positives, true and false negatives.
    Counts<4>, |n, p, tp, fp| [fp, tp, n - fp, p - tp]
);
kind!(
    /// False and true positive rates.
    Roc<2>, |n, p, tp, fp| [fp / n, tp / p]
);
kind!(
    /// Precision and recall.
    PrecisionRecall<2>, |_n, p, tp, fp| [tp / (tp + fp), tp / p]
);
kind!(
    /// False positive and false negative rates.
    Det<2>, |n, p, tp, fp| [fp / n, (p - tp) / p]
);

/// The points of a curve, strict to lenient, and their thresholds.
#[pyfunction]
#[pyo3(signature = (kind, keep, scores, positive, threads, path = "auto"))]
pub fn curve<'py>(
    py: Python<'py>,
    kind: &str,
    keep: &str,
    scores: Scores<'py>,
    positive: PyReadonlyArray1<'py, u8>,
    threads: usize,
    path: &str,
) -> PyResult<Bound<'py, PyTuple>> {
    let (positive, path) = (positive.as_slice()?, path_named(path)?);
    let keep = match keep {
        "all" => Keep::All,
        "corners" => Keep::Corners,
        "rises" => Keep::Rises,
        "later rises" => Keep::LaterRises,
        _ => return Err(PyValueError::new_err("no such points")),
    };
    with_scores!(scores, |s| {
        // Among scores as thresholds there is none for "nothing": the first point's has no meaning.
        macro_rules! drawn {
            ($shape:expr, $threshold:expr, $nothing:expr) => {{
                let curve = Curve {
                    shape: $shape,
                    keep,
                    threshold: $threshold,
                    nothing: $nothing,
                };
                let points = interruptible(py, threads, |call| {
                    fast::curve(path, s, positive, curve, call)
                });
                points_into_py(py, points?)
            }};
        }
        #[allow(clippy::unnecessary_cast)] // one of the four types is a float64 already
        let float = |score| score as f64;
        let own = |score| score;
        match kind {
            "roc" => drawn!(Roc::of, float, f64::INFINITY),
            "det" => drawn!(Det::of, float, f64::INFINITY),
            "precision-recall" => drawn!(PrecisionRecall::of, own, Default::default()),
            "counts" => drawn!(Counts::of, own, Default::default()),
            _ => Err(PyValueError::new_err("no such curve")),
        }
    })
}

fn points_into_py<T: numpy::Element, const C: usize>(
    py: Python<'_>,
    points: Points<T, C>,
) -> PyResult<Bound<'_, PyTuple>> {
    let thresholds = points.thresholds.into_pyarray(py).into_any();
    let columns = points
        .columns
        .into_iter()
        .map(|c| c.into_pyarray(py).into_any());
    PyTuple::new(py, columns.chain([thresholds]).collect::<Vec<_>>())
}
