//! The points of a curve from labelled rows, without a table between: the same distribution as the areas', each bucket
//! put in order and written down as points.

use super::bucket::Workspace;
use super::distribute::{distribute, pieces, sizes};
use super::group::{way, Way};
use super::parts::Part;
use super::points::{Keep, Left, Pen, Points, Shape, Sheet};
use super::ranks::{self, Rows};
use super::streams::Streams;
use super::Path;
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::parallel::map;
use crate::subnormals::Subnormals;
use crate::table::Table;

/// How a curve is drawn.
#[derive(Clone, Copy)]
pub struct Curve<M, F, T> {
    /// Its coordinates, given how many negatives and positives there are.
    pub shape: M,
    /// Which points are left out.
    pub keep: Keep,
    /// The threshold that stands for a score.
    pub threshold: F,
    /// The threshold where nothing is called positive.
    pub nothing: T,
}

/// The points of a curve, from the strictest threshold to the most lenient; high scores are strict.
///
/// Paths lead to the same points as for [`super::group`]. Memory beside input and output: one lane per row.
pub fn curve<S, T, M, K, F, const C: usize>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    curve: Curve<M, F, T>,
    call: &Call,
) -> Result<Points<T, C>>
where
    S: Score,
    T: Copy + Send,
    M: Fn([u64; 2]) -> K,
    K: Shape<C> + Send,
    F: Fn(S) -> T + Copy + Send + Sync,
{
    same_length(&[scores.len(), positive.len()])?;
    call.check()?;
    let _subnormals = Subnormals::seen();
    match way(path, scores, positive, true, call)?.1 {
        Way::Table(table) => of_table(&table, &curve),
        Way::Distribute(buckets) => distribute(
            Part::new(scores, positive),
            &buckets,
            call,
            |streams, threads| draw(streams, buckets.count, threads, &curve, call),
        ),
    }
}

/// The slow and obvious way: row by row.
fn of_table<S, T, M, K, F, const C: usize>(
    table: &Table<S>,
    curve: &Curve<M, F, T>,
) -> Result<Points<T, C>>
where
    S: Copy,
    T: Copy,
    M: Fn([u64; 2]) -> K,
    K: Shape<C>,
    F: Fn(S) -> T + Copy,
{
    let totals = [&table.neg, &table.pos].map(|counts| counts.iter().sum());
    let mut sheet = Sheet::new(vec![table.scores.len()])?;
    let shape = (curve.shape)(totals);
    let mut pens = sheet.pens([[0, 0]], shape, curve.keep, curve.threshold);
    pens[0].start(curve.nothing);
    for (i, &score) in table.scores.iter().enumerate() {
        pens[1].push(score, table.pos[i], table.neg[i]);
    }
    let left = pens.into_iter().map(Pen::lift).collect();
    Ok(sheet.join(left, curve.keep))
}

/// Writes the buckets, from the highest scores down. One thread writes to one piece, several to one a bucket.
fn draw<S, T, M, K, F, const C: usize>(
    streams: &[Streams<S::Lane>],
    buckets: usize,
    threads: usize,
    curve: &Curve<M, F, T>,
    call: &Call,
) -> Result<Points<T, C>>
where
    S: Score,
    T: Copy + Send,
    M: Fn([u64; 2]) -> K,
    K: Shape<C> + Send,
    F: Fn(S) -> T + Copy + Send + Sync,
{
    let mut sizes = sizes(streams, buckets);
    sizes.reverse();
    let (mut called, mut total) = (Vec::with_capacity(buckets), [0u64; 2]);
    for &[neg, pos] in &sizes {
        called.push(total);
        total = [total[0] + neg as u64, total[1] + pos as u64];
    }
    let together = if threads > 1 { 1 } else { buckets };
    let lengths = sizes
        .chunks(together)
        .map(|some| some.as_flattened().iter().sum());
    let mut sheet = Sheet::new(lengths.collect())?;
    let shape = (curve.shape)(total);
    let starts = called.into_iter().step_by(together);
    let mut pens = sheet
        .pens(starts, shape, curve.keep, curve.threshold)
        .into_iter();
    let nothing = pens.next().map(|mut pen| {
        pen.start(curve.nothing);
        pen.lift()
    });
    let write = |workspace: &mut Workspace, (i, mut pen): (usize, Pen<'_, T, K, F, C>)| {
        for nth in (i * together..buckets).take(together) {
            call.check()?;
            let b = buckets - 1 - nth;
            let classes = [2 * b, 2 * b + 1].map(|stream| pieces(streams, stream));
            ranks::write::<S, _, _>(classes, sizes[nth], true, workspace, &mut pen)?;
        }
        Ok(pen.lift())
    };
    let written = map(call, threads, pens.enumerate(), Workspace::default, write)?;
    let left: Vec<Left> = nothing.into_iter().chain(written).collect();
    Ok(sheet.join(left, curve.keep))
}
