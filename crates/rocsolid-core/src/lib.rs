//! Exact counting for ROC and precision-recall evaluation.
//!
//! Everything here is a function of one table: a row per distinct score, strict to lenient, with the
//! positives and negatives that share it. Labelled rows become a table ([`group()`]), tables add up
//! ([`combine()`]), and the areas are sums over a table ([`area`]), and so are their bootstrap replicates
//! ([`mod@resample`]). What a table can not give, because it takes several models on the same rows, starts from the rows
//! in order: placements and ranks ([`rows`]), the sums of products behind DeLong's covariance ([`mod@gram`]), influences
//! ([`influence`]) and paired replicates ([`paired`]).
//!
//! Areas within each of many groups sort each group by itself ([`mod@segments`]).
//! Which of a curve's vertices a picture needs is chosen in one pass ([`simplify`]).
//!
//! The same data give the same bits, in any row order, in any chunks and on any number of threads: counts are
//! integers, and sums of weights are exact: integers where the weights have a common unit ([`weighted`]), or floats
//! without rounding ([`exact`]).
//!
//! ```text
//! scores ──┬─ order ─> keys ─┬─ runs ──> two sorted runs ── group ───> Table <── combine ── Tables
//!          │                 │                                      ├──> area::roc_sums, ...
//!          │                 │                                      └──> resample ──> replicates
//!          │                 └─ ranking ─> rows in order ─┬─ rows: placements ──> gram: sums of their products
//!          │                                              ├─ rows: ranks ──> paired: replicates of several models
//!          │                                              └─ influence
//!          └─ fast ── buckets, not sorted ──> fast::areas
//! ```
//!
//! Unsafe code is denied but for marked places in [`fast`]: vector instructions, prefetching, reused memory, threads
//! that outlive a call. Each says why it is sound.

#![deny(unsafe_code)]

pub mod area;
mod binomial;
mod call;
pub mod combine;
pub mod dd;
mod deal;
pub mod error;
pub mod exact;
pub mod fast;
pub mod gram;
pub mod group;
pub mod influence;
pub mod order;
pub mod paired;
mod parallel;
mod poisson;
mod random;
mod ranking;
mod ratio;
pub mod resample;
pub mod rows;
mod runs;
mod scan;
mod scheme;
pub mod segments;
pub mod simplify;
mod splitters;
mod subnormals;
pub mod table;
#[cfg(test)]
mod testing;
pub mod weighted;

pub use call::Call;
pub use combine::combine;
pub use error::{Error, Result};
pub use group::group;
pub use order::Score;
pub use table::{Expansions, ExpansionsView, Table, Weights};
