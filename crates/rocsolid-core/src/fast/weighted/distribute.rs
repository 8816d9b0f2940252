//! Distributes weighted rows into buckets, then counts bucket by bucket.

use super::bucket::{Bucket, Workspace};
use super::item::Item;
use crate::call::{Call, STRIDE};
use crate::error::{Error, Result};
use crate::fast::distribute::{pieces, sizes};
use crate::fast::isa::{dispatch, Isa, Job};
use crate::fast::lane::Lane;
use crate::fast::map::{BucketOfCell, Cells, Splitters, CELLS, MOST_BUCKETS};
use crate::fast::parts::{Part, Parts};
use crate::fast::plan::{Buckets, Map};
use crate::fast::scratch::Scratch;
use crate::fast::streams::{places_for, Streams};
use crate::order::Score;
use crate::parallel::map;
use crate::weighted::sums::{Masses, Sums};
use crate::weighted::units::{Range, Unit};

/// Rows handled together, so that their cells are found with vector instructions.
const TOGETHER: usize = 16;

/// The range of all weights above zero.
pub(super) fn range(weights: &[f64], call: &Call) -> Result<Range> {
    struct Look<'a>(&'a [f64]);
    impl Job for Look<'_> {
        type Output = Result<Range>;

        #[inline(always)]
        fn run<I: Isa>(self) -> Result<Range> {
            Range::of(self.0)
        }
    }
    // Labels do not matter here; the weights will do for both columns.
    let strides = weights.chunks(STRIDE);
    let mut all = Range::NONE;
    for stride in strides {
        call.check()?;
        all = all.and(dispatch(Look(stride))?);
    }
    Ok(all)
}

/// Both areas, or `None` where the positives weigh too little beside the others.
pub(super) fn areas<S: Score>(
    scores: &[S],
    positive: &[u8],
    weights: &[f64],
    unit: Unit,
    buckets: &Buckets<S::Lane>,
    call: &Call,
) -> Result<Option<(f64, f64)>> {
    distribute(
        scores,
        positive,
        weights,
        buckets,
        call,
        |streams, threads| count(streams, buckets.count, unit, threads, call),
    )
}

/// Distributes all rows, and hands the streams of each part, and the threads for what follows, to `then`.
pub(super) fn distribute<S: Score, R>(
    scores: &[S],
    positive: &[u8],
    weights: &[f64],
    buckets: &Buckets<S::Lane>,
    call: &Call,
    then: impl FnOnce(&[Streams<Item<S::Lane>>], usize) -> Result<R>,
) -> Result<R> {
    let parts = Parts::new(scores, positive, call);
    let room = places_for(parts.size, buckets.count);
    let count = parts.iter().count();
    let mut scratch = Scratch::of::<Item<S::Lane>>(room.checked_mul(count).ok_or(Error::Memory)?)?;
    let stores = scratch.lanes().chunks_mut(room);
    let jobs = parts
        .iter()
        .zip(weights.chunks(parts.size))
        .zip(stores)
        .map(|((part, weights), store)| (part, weights, store));
    let fill = |(): &mut (), (part, weights, store)| fill(part, weights, store, buckets, call);
    let streams = map(call, parts.threads, jobs, || (), fill)?;
    then(&streams, parts.threads)
}

fn fill<'s, S: Score>(
    part: Part<'_, S>,
    weights: &[f64],
    store: &'s mut [Item<S::Lane>],
    buckets: &Buckets<S::Lane>,
    call: &Call,
) -> Result<Streams<'s, Item<S::Lane>>> {
    let mut streams = Streams::new(store);
    for ((scores, positive), weights) in part.strides().zip(weights.chunks(STRIDE)) {
        call.check()?;
        let of_cell = &buckets.of_cell;
        macro_rules! by {
            ($cells:expr) => {
                dispatch(Fill {
                    scores,
                    positive,
                    weights,
                    cells: $cells,
                    of_cell,
                    streams: &mut streams,
                })
            };
        }
        match &buckets.map {
            Map::Single(map) => by!(*map),
            Map::Affine(map) => by!(*map),
            Map::Bits(map) => by!(*map),
            Map::Splitters(sorted) => by!(Splitters::<_, MOST_BUCKETS>::new(sorted)),
        }?;
    }
    Ok(streams)
}

/// Bucket `b` is in the streams `2 b`, negatives, and `2 b + 1`, positives. A row of weight 0 is in none.
struct Fill<'w, 'a, S, L, C> {
    scores: &'w [S],
    positive: &'w [u8],
    weights: &'w [f64],
    cells: C,
    of_cell: &'w BucketOfCell,
    streams: &'w mut Streams<'a, Item<L>>,
}

impl<L: Lane, S: Score<Lane = L>, C: Cells<L>> Job for Fill<'_, '_, S, L, C> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<()> {
        let Fill {
            scores,
            positive,
            weights,
            cells,
            of_cell,
            streams,
        } = self;
        let mut streams = streams.ends();
        let mut strips = scores.chunks_exact(TOGETHER);
        let mut labels = positive.chunks_exact(TOGETHER);
        let mut loads = weights.chunks_exact(TOGETHER);
        let mut push = |lane: L, cell: u32, positive: u8, weight: f64| {
            let bucket = of_cell[cell as usize % CELLS];
            if weight != 0.0 {
                let stream = 2 * usize::from(bucket) + usize::from(positive != 0);
                streams.push(stream, Item { lane, weight });
            }
        };
        for ((strip, positive), weights) in (&mut strips).zip(&mut labels).zip(&mut loads) {
            let (mut lanes, mut cell, mut nan) = ([L::default(); TOGETHER], [0; TOGETHER], false);
            for i in 0..TOGETHER {
                lanes[i] = strip[i].lane();
                cell[i] = cells.cell(lanes[i]);
                nan |= lanes[i].is_nan() & (weights[i] != 0.0);
            }
            if nan {
                return Err(Error::Nan);
            }
            for i in 0..TOGETHER {
                push(lanes[i], cell[i], positive[i], weights[i]);
            }
        }
        let rest = strips.remainder().iter().zip(labels.remainder());
        for ((score, &positive), &weight) in rest.zip(loads.remainder()) {
            let lane = score.lane();
            if lane.is_nan() && weight != 0.0 {
                return Err(Error::Nan);
            }
            push(lane, cells.cell(lane), positive, weight);
        }
        Ok(())
    }
}

/// Counts all buckets, each knowing what lies above it.
fn count<L: Lane>(
    streams: &[Streams<Item<L>>],
    buckets: usize,
    unit: Unit,
    threads: usize,
    call: &Call,
) -> Result<Option<(f64, f64)>> {
    let sizes = sizes(streams, buckets);
    let bucket = |b: usize| Bucket {
        pos: pieces(streams, 2 * b + 1),
        neg: pieces(streams, 2 * b),
        sizes: sizes[b],
        unit,
    };
    let (mut all, mut sums) = (Masses::default(), Sums::default());
    if threads == 1 {
        // From the top, what lies above is what was counted before.
        let mut workspace = Workspace::default();
        for b in (0..buckets).rev() {
            call.check()?;
            all = all.and(bucket(b).count(all, &mut sums, &mut workspace)?);
        }
    } else {
        // Otherwise the buckets are weighed first.
        let weigh = |(): &mut (), b: usize| Ok(bucket(b).masses());
        let masses = map(call, threads, 0..buckets, || (), weigh)?;
        let above: Vec<Masses>;
        (above, all) = place(&masses);
        let count = |workspace: &mut Workspace, b: usize| {
            let mut sums = Sums::default();
            bucket(b).count(above[b], &mut sums, workspace)?;
            Ok(sums)
        };
        let counted = map(call, threads, 0..buckets, Workspace::default, count)?;
        sums = counted.into_iter().fold(sums, Sums::and);
    }
    let usable = all.pos == 0 || all.balanced();
    Ok(usable.then(|| sums.areas(all)))
}

/// What lies above each bucket, buckets rising, and everything.
fn place(masses: &[Masses]) -> (Vec<Masses>, Masses) {
    let mut all = Masses::default();
    let from_the_top = masses.iter().rev().map(|&bucket| {
        let above = all;
        all = all.and(bucket);
        above
    });
    let mut above: Vec<_> = from_the_top.collect();
    above.reverse();
    (above, all)
}
