//! The table of labelled rows, from the same distribution as the areas.
//!
//! Sorting, which [`crate::group()`] does, is the fallback and the check: every path leads to the same table.

use super::bucket::Workspace;
use super::columns::Columns;
use super::distribute::{distribute, pieces, sizes};
use super::parts::Part;
use super::path::{self, Task};
use super::plan::{buckets_for, Buckets, Sample};
use super::streams::Streams;
use super::{few, ranks, some_buckets, Path, TOLERANCE, TOO_FEW};
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::parallel::map;
use crate::subnormals::Subnormals;
use crate::table::Table;

/// Counts the positives (`positive[i] != 0`) and negatives of each distinct score.
///
/// Strict to lenient is downwards if `descending`, else upwards. Of the paths named, `Few` and `Distribute` lead to a
/// table; the others sort. Memory beside input and output: one lane per row.
pub fn group<S: Score>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    descending: bool,
    call: &Call,
) -> Result<Table<S>> {
    same_length(&[scores.len(), positive.len()])?;
    call.check()?;
    let _subnormals = Subnormals::seen();
    let (taken, way) = way(path, scores, positive, descending, call)?;
    let table = match way {
        Way::Table(table) => table,
        Way::Distribute(buckets) => tabulate(scores, positive, &buckets, descending, call)?,
    };
    path::note::<S>(Task::Group, taken, call.threads);
    Ok(table)
}

/// How the rows are put in order.
pub(super) enum Way<S: Score> {
    /// By another way, and done.
    Table(Table<S>),
    /// By distribution, which is still to be done.
    Distribute(Buckets<S::Lane>),
}

/// Follows the path, up to where it leads to a distribution; also tells which it was.
pub(super) fn way<S: Score>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    descending: bool,
    call: &Call,
) -> Result<(Path, Way<S>)> {
    let sort = || {
        let table = crate::group(scores, positive, None, descending, call)?;
        Ok((Path::Sort, Way::Table(table)))
    };
    let few = |seen: &Sample<S::Lane>, tolerance| {
        let table = few::table(scores, positive, seen, tolerance, descending, call)?;
        Ok(table.map(|table| (Path::Few, Way::Table(table))))
    };
    let distribute = |sample: &Sample<S::Lane>, buckets| {
        (
            Path::Distribute,
            Way::Distribute(Buckets::plan(sample, buckets)),
        )
    };
    match path {
        _ if scores.is_empty() => sort(),
        Path::Auto if scores.len() < TOO_FEW => sort(),
        Path::Auto => {
            let sample = Sample::of(scores)?;
            let seen = few::suits(scores, &sample)?;
            let found = seen.map(|seen| few(&seen, TOLERANCE)).transpose()?;
            let otherwise = || distribute(&sample, buckets_for(scores.len()));
            Ok(found.flatten().unwrap_or_else(otherwise))
        }
        Path::Few => few(&Sample::of(scores)?, 1)?.map_or_else(sort, Ok),
        Path::Distribute => Ok(distribute(&Sample::of(scores)?, some_buckets(scores.len()))),
        Path::Sort | Path::Sorted | Path::Rare => sort(),
    }
}

/// The general path: distribute into buckets, then put each in order.
fn tabulate<S: Score>(
    scores: &[S],
    positive: &[u8],
    buckets: &Buckets<S::Lane>,
    descending: bool,
    call: &Call,
) -> Result<Table<S>> {
    distribute(
        Part::new(scores, positive),
        buckets,
        call,
        |streams, threads| collect(streams, buckets.count, descending, threads, call),
    )
}

/// Writes each bucket to a piece of the table of its own.
fn collect<S: Score>(
    streams: &[Streams<S::Lane>],
    buckets: usize,
    descending: bool,
    threads: usize,
    call: &Call,
) -> Result<Table<S>> {
    let sizes = sizes(streams, buckets);
    let bucket = |i: usize| if descending { buckets - 1 - i } else { i };
    let lengths = (0..buckets).map(|i| sizes[bucket(i)].iter().sum());
    let mut columns = Columns::<S>::new(lengths.collect())?;
    let out = columns.pieces().into_iter().enumerate();
    let write = |workspace: &mut Workspace, (i, mut out)| {
        let b = bucket(i);
        let classes = [2 * b, 2 * b + 1].map(|stream| pieces(streams, stream));
        ranks::write(classes, sizes[b], descending, workspace, &mut out)
    };
    map(call, threads, out, Workspace::default, write)?;
    Ok(columns.close_up())
}
