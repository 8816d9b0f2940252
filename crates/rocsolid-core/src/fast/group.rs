//! The table of labelled rows, from the same distribution as the areas.
//!
//! Sorting, which [`crate::group()`] does, is the fallback and the check: every path leads to the same table.

use std::sync::Mutex;

use super::bucket::Workspace;
use super::call::Call;
use super::columns::Columns;
use super::distribute::{distribute, pieces, sizes, take};
use super::path::{self, Task};
use super::plan::{buckets_for, Buckets, Sample};
use super::pool;
use super::streams::Streams;
use super::subnormals::Subnormals;
use super::{few, ranks, some_buckets, Path, TOLERANCE, TOO_FEW};
use crate::error::{same_length, Result};
use crate::order::Score;
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
    let by_few = |seen: Sample<S::Lane>, tolerance| {
        few::table(scores, positive, &seen, tolerance, descending, call)
    };
    let by_buckets = |sample: &Sample<S::Lane>, count| {
        let buckets = Buckets::plan(sample, count);
        tabulate(scores, positive, &buckets, descending, call)
    };
    let found = match path {
        _ if scores.is_empty() => None,
        Path::Auto if scores.len() < TOO_FEW => None,
        Path::Auto => {
            let sample = Sample::of(scores)?;
            let seen = few::suits(scores, &sample)?;
            let few = seen.map(|seen| by_few(seen, TOLERANCE)).transpose()?;
            match few.flatten() {
                Some(table) => Some((Path::Few, table)),
                None => {
                    let table = by_buckets(&sample, buckets_for(scores.len()))?;
                    Some((Path::Distribute, table))
                }
            }
        }
        Path::Few => by_few(Sample::of(scores)?, 1)?.map(|table| (path, table)),
        Path::Distribute => {
            let table = by_buckets(&Sample::of(scores)?, some_buckets(scores.len()))?;
            Some((path, table))
        }
        Path::Sort | Path::Sorted | Path::Rare => None,
    };
    let (taken, table) = match found {
        Some(found) => found,
        None => (
            Path::Sort,
            crate::group(scores, positive, None, descending, call.threads)?,
        ),
    };
    path::note::<S>(Task::Group, taken, call.threads);
    Ok(table)
}

/// The general path: distribute into buckets, then put each in order.
fn tabulate<S: Score>(
    scores: &[S],
    positive: &[u8],
    buckets: &Buckets<S::Lane>,
    descending: bool,
    call: &Call,
) -> Result<Table<S>> {
    distribute(scores, positive, buckets, call, |streams, threads| {
        collect(streams, buckets.count, descending, threads, call)
    })
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
    let out = columns.pieces().into_iter();
    let out: Vec<_> = out.map(|piece| Mutex::new(Some(piece))).collect();
    let written = pool::map(threads, buckets, Workspace::default, |workspace, i| {
        call.check()?;
        let (b, mut out) = (bucket(i), take(&out[i])?);
        let classes = [2 * b, 2 * b + 1].map(|stream| pieces(streams, stream));
        ranks::write(classes, sizes[b], descending, workspace, &mut out)
    });
    drop(out);
    written.into_iter().collect::<Result<()>>()?;
    Ok(columns.close_up())
}
