//! Both areas of labelled rows, faster than sorting them.
//!
//! ```text
//! sample ── plan ──┬── distribute ── buckets ── leaves ──┬──> Areas
//!                  ├── few: one counter per value ───────┤
//!                  ├── rare: locate beside positives ────┤
//!                  └── sorted: one walk ─────────────────┘
//! ```

mod bucket;
mod call;
pub(crate) mod compare;
mod distribute;
pub(crate) mod isa;
pub(crate) mod lane;
mod leaf;
mod map;
mod plan;
mod pool;
mod precision;
mod scratch;
mod streams;
mod subnormals;

pub use call::Call;

use crate::area::{self, Areas};
use crate::error::{same_length, Result};
use crate::order::Score;
use plan::{buckets_for, Buckets, Sample};
use subnormals::Subnormals;

/// Below this many rows sorting is as fast as anything.
const TOO_FEW: usize = 64;

/// A way to the areas. All lead to the same result; tests force each by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Whichever is fastest for the data.
    Auto,
    /// Sort both classes and merge.
    Sort,
    /// Distribute into buckets.
    Distribute,
}

/// Both areas; high scores are strict. `positive[i] != 0` marks the positives.
pub fn areas<S: Score>(path: Path, scores: &[S], positive: &[u8], call: &Call) -> Result<Areas> {
    same_length(&[scores.len(), positive.len()])?;
    let _subnormals = Subnormals::seen();
    match path {
        Path::Auto if scores.len() < TOO_FEW => area::areas_by_sorting(scores, positive, call.threads),
        Path::Sort => area::areas_by_sorting(scores, positive, call.threads),
        Path::Distribute => {
            let sample = Sample::of(scores)?;
            let count = buckets_for(scores.len()).max((scores.len() / 64).min(8));
            distribute::areas(scores, positive, &Buckets::plan(&sample, count), call)
        }
        Path::Auto => {
            let sample = Sample::of(scores)?;
            distribute::areas(scores, positive, &Buckets::plan(&sample, buckets_for(scores.len())), call)
        }
    }
}
