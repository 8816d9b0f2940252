//! Both areas of labelled rows, faster than sorting them.
//!
//! ```text
//! sample ── plan ──┬── sorted: one walk ─────────────────┐
//!                  ├── few: one counter per value ───────┤
//!                  ├── rare: locate beside positives ────┼──> Areas
//!                  └── distribute ── buckets ── leaves ──┘
//! ```
//!
//! Every path is exact for all data, and gives way to the next if the data are not as the sample promised.

mod bucket;
mod columns;
pub(crate) mod compare;
mod curve;
mod distribute;
mod few;
mod group;
mod heavy;
pub(crate) mod isa;
mod labels;
pub(crate) mod lane;
mod leaf;
mod many;
mod map;
mod parts;
mod path;
mod placements;
mod plan;
mod points;
pub(crate) mod precision;
#[cfg(test)]
mod proof;
mod ranks;
mod rare;
mod scratch;
mod sorted;
mod streams;
mod tables;
#[cfg(test)]
mod tests;
pub mod weighted;

pub use curve::{curve, Curve};
pub use group::group;
pub use labels::{areas_of_labels, flags, Found, Label};
pub use many::{areas_of_columns, areas_of_rows};
pub use path::{path_counts, Path, PathCount};
pub use placements::placements;
pub use points::{Keep, Points, Shape};
pub use tables::{areas_of_tables, Grid, LabelGrid, Labels};

use path::Task;

use crate::area::{self, Areas};
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::subnormals::Subnormals;
use plan::{buckets_for, Buckets, Sample};

/// Below this many rows sorting is as fast as anything.
const TOO_FEW: usize = 64;
/// One row in so many may have a value that the sample has not seen.
const TOLERANCE: usize = 16;

/// Both areas; high scores are strict. `positive[i] != 0` marks the positives.
pub fn areas<S: Score>(path: Path, scores: &[S], positive: &[u8], call: &Call) -> Result<Areas> {
    same_length(&[scores.len(), positive.len()])?;
    call.check()?;
    let _subnormals = Subnormals::seen();
    let (taken, areas) = match path {
        Path::Auto => best(scores, positive, call)?,
        named => by_name(named, scores, positive, call)?,
    };
    path::note::<S>(Task::Areas, taken, call.threads);
    Ok(areas)
}

/// The fastest way, and the areas.
fn best<S: Score>(scores: &[S], positive: &[u8], call: &Call) -> Result<(Path, Areas)> {
    if scores.len() < TOO_FEW {
        return by_name(Path::Sort, scores, positive, call);
    }
    let sample = Sample::of(scores)?;
    if sample.looks_sorted() {
        if let Some(areas) = sorted::areas(scores, positive, call)? {
            return Ok((Path::Sorted, areas));
        }
    }
    if let Some(seen) = few::suits(scores, &sample)? {
        if let Some(areas) = few::areas(scores, positive, &seen, TOLERANCE, call)? {
            return Ok((Path::Few, areas));
        }
    }
    if rare::suits(count_positives(positive), scores.len()) {
        if let Some(areas) = rare::areas(scores, positive, &sample, false, call)? {
            return Ok((Path::Rare, areas));
        }
    }
    let buckets = Buckets::plan(&sample, buckets_for(scores.len()));
    Ok((
        Path::Distribute,
        distribute::areas(scores, positive, &buckets, call)?,
    ))
}

/// The way named, for data of any kind. Rows that are not in order are sorted first by none: they take `Sort`.
fn by_name<S: Score>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    call: &Call,
) -> Result<(Path, Areas)> {
    let areas = match path {
        Path::Auto => return best(scores, positive, call),
        _ if scores.is_empty() => None,
        Path::Sort => None,
        Path::Sorted => sorted::areas(scores, positive, call)?,
        Path::Few => few::areas(scores, positive, &Sample::of(scores)?, 1, call)?,
        Path::Rare => rare::areas(scores, positive, &Sample::of(scores)?, true, call)?,
        Path::Distribute => {
            let buckets = Buckets::plan(&Sample::of(scores)?, some_buckets(scores.len()));
            Some(distribute::areas(scores, positive, &buckets, call)?)
        }
    };
    match areas {
        Some(areas) => Ok((path, areas)),
        None => Ok((Path::Sort, area::areas_by_sorting(scores, positive, call)?)),
    }
}

/// Several buckets for small data too, so that they can be tested.
fn some_buckets(rows: usize) -> usize {
    buckets_for(rows).max((rows / 64).min(8))
}

/// A pass over the labels alone.
fn count_positives(positive: &[u8]) -> usize {
    let strips = positive.chunks(255); // a strip's count fits into a byte, so vectors of bytes do
    strips
        .map(|strip| {
            usize::from(
                strip
                    .iter()
                    .fold(0u8, |sum, &label| sum + u8::from(label != 0)),
            )
        })
        .sum()
}
