//! Choosing the vertices of a curve that a picture needs.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocsolid_core::simplify;

/// Chooses vertices in chunks.
#[pyclass(module = "rocsolid._kernel")]
pub struct Simplifier {
    inner: Option<simplify::Simplifier>,
}

#[pymethods]
impl Simplifier {
    #[new]
    fn new(straight: usize, stepped: bool, tolerance: f64) -> Self {
        Simplifier {
            inner: Some(simplify::Simplifier::new(straight, stepped, tolerance)),
        }
    }

    /// The next vertices, a row each, and whether each has to stay.
    fn feed(
        &mut self,
        vertices: PyReadonlyArray2<'_, f64>,
        forced: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<()> {
        let inner = self
            .inner
            .as_mut()
            .ok_or_else(|| PyValueError::new_err("finished"))?;
        let width = inner.width();
        if vertices.shape() != [forced.len(), width] || width == 0 {
            return Err(PyValueError::new_err(
                "a row of coordinates for each vertex",
            ));
        }
        let rows = vertices.as_slice()?.chunks_exact(width);
        for (vertex, &forced) in rows.zip(forced.as_slice()?) {
            inner.push(vertex, forced);
        }
        Ok(())
    }

    /// Indices of the vertices that are kept; nothing can be fed any more.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let inner = self
            .inner
            .take()
            .ok_or_else(|| PyValueError::new_err("finished"))?;
        Ok(inner.finish().into_pyarray(py))
    }
}
