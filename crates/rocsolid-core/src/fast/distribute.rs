//! The general path: distribute into buckets, then count bucket by bucket.

use super::bucket::{self, Workspace};
use super::compare::Compare;
use super::leaf::{Outside, Sums};
use super::map::{Cells, Splitters, MOST_BUCKETS};
use super::parts::{Part, Parts};
use super::plan::{Buckets, Map};
use super::scratch::Scratch;
use super::streams::{places_for, Load, Streams};
use crate::area::Areas;
use crate::call::Call;
use crate::dd::Dd;
use crate::error::{Error, Result};
use crate::order::Score;
use crate::parallel::map;

/// Both areas.
pub(crate) fn areas<S: Score>(
    scores: &[S],
    positive: &[u8],
    buckets: &Buckets<S::Lane>,
    call: &Call,
) -> Result<Areas> {
    let rows = Part::new(scores, positive);
    distribute(rows, buckets, call, |streams, threads| {
        count(streams, buckets, threads, call)
    })
}

/// Distributes all rows, and hands the streams of each part, and the threads for what follows, to `then`.
pub(crate) fn distribute<S: Score, W: Load<S::Lane>, R>(
    rows: Part<'_, S, W>,
    buckets: &Buckets<S::Lane>,
    call: &Call,
    then: impl FnOnce(&[Streams<W::Item>], usize) -> Result<R>,
) -> Result<R> {
    let parts = Parts::new(rows, call);
    let room = places_for(parts.size, buckets.count);
    let count = parts.iter().count();
    let mut scratch = Scratch::of::<W::Item>(room.checked_mul(count).ok_or(Error::Memory)?)?;
    let stores = scratch.lanes().chunks_mut(room);
    let jobs = parts.iter().zip(stores);
    let fill = |(): &mut (), (part, store)| fill(part, store, buckets, call);
    let streams = map(call, parts.threads, jobs, || (), fill)?;
    then(&streams, parts.threads)
}

fn fill<'s, S: Score, W: Load<S::Lane>>(
    part: Part<'_, S, W>,
    store: &'s mut [W::Item],
    buckets: &Buckets<S::Lane>,
    call: &Call,
) -> Result<Streams<'s, W::Item>> {
    match &buckets.map {
        Map::Single(map) => fill_by(part, *map, store, buckets, call),
        Map::Affine(map) => fill_by(part, *map, store, buckets, call),
        Map::Bits(map) => fill_by(part, *map, store, buckets, call),
        // Fewer steps where there are few buckets.
        Map::Splitters(sorted) if buckets.count <= 16 => {
            let map = Splitters::<_, 16>::new(sorted);
            fill_by(part, map, store, buckets, call)
        }
        Map::Splitters(sorted) => {
            let map = Splitters::<_, MOST_BUCKETS>::new(sorted);
            fill_by(part, map, store, buckets, call)
        }
    }
}

fn fill_by<'s, S: Score, W: Load<S::Lane>>(
    part: Part<'_, S, W>,
    cells: impl Cells<S::Lane>,
    store: &'s mut [W::Item],
    buckets: &Buckets<S::Lane>,
    call: &Call,
) -> Result<Streams<'s, W::Item>> {
    let mut streams = Streams::new(store);
    for stride in part.strides() {
        call.check()?;
        streams.fill(stride, cells, &buckets.of_cell)?;
    }
    Ok(streams)
}

/// Counts all buckets; each knows from the sizes of the others what lies outside of it.
fn count<L: Compare>(
    streams: &[Streams<L>],
    buckets: &Buckets<L>,
    threads: usize,
    call: &Call,
) -> Result<Areas> {
    let sizes = sizes(streams, buckets.count);
    let (outside, [n_neg, n_pos]) = place(&sizes);
    let count = |workspace: &mut Workspace, b: usize| {
        let classes = [2 * b, 2 * b + 1].map(|stream| pieces(streams, stream));
        bucket::count(classes, sizes[b], outside[b], workspace)
    };
    let sums = map(call, threads, 0..buckets.count, Workspace::default, count)?;
    total(sums, n_pos, n_neg)
}

/// Negatives and positives of each bucket.
pub(crate) fn sizes<L: Copy>(streams: &[Streams<L>], buckets: usize) -> Vec<[usize; 2]> {
    let rows = |stream| streams.iter().map(|part| part.rows(stream)).sum::<usize>();
    (0..buckets)
        .map(|b| [rows(2 * b), rows(2 * b + 1)])
        .collect()
}

/// One stream of all parts, in the order of the rows.
pub(crate) fn pieces<'a, L: Copy>(
    streams: &'a [Streams<'_, L>],
    stream: usize,
) -> impl Iterator<Item = &'a [L]> + Clone {
    streams.iter().flat_map(move |part| part.pieces(stream))
}

/// What lies outside of each bucket, buckets rising, and the rows of each class.
pub(crate) fn place(sizes: &[[usize; 2]]) -> (Vec<Outside>, [u64; 2]) {
    let [n_neg, n_pos] =
        [0, 1].map(|class| sizes.iter().map(|size| size[class] as u64).sum::<u64>());
    let (mut neg_below, mut pos_below) = (0, 0);
    let outside = sizes.iter().map(|size| {
        let [neg, pos] = size.map(|rows| rows as u64);
        let here = Outside {
            pos_above: n_pos - pos_below - pos,
            neg_above: n_neg - neg_below - neg,
            neg_below,
        };
        (neg_below, pos_below) = (neg_below + neg, pos_below + pos);
        here
    });
    (outside.collect(), [n_neg, n_pos])
}

/// Adds up what the buckets found, always in the same order.
fn total(sums: Vec<Sums>, n_pos: u64, n_neg: u64) -> Result<Areas> {
    let twice = sums
        .iter()
        .try_fold(0u128, |sum, s| sum.checked_add(s.twice()));
    let precision = sums
        .iter()
        .rev()
        .fold(Dd::ZERO, |sum, s| sum + s.precision());
    Ok(Areas {
        u2: twice.ok_or(Error::CountOverflow)?,
        n_pos,
        n_neg,
        ap: if n_pos > 0 {
            (precision / Dd::from(n_pos)).to_f64()
        } else {
            f64::NAN
        },
    })
}
