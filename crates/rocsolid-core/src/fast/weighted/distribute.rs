//! Distributes weighted rows into buckets, then counts bucket by bucket.

use super::bucket::{Bucket, Workspace};
use super::item::Item;
use crate::call::{Call, STRIDE};
use crate::error::Result;
use crate::fast::distribute::{distribute, pieces, sizes};
use crate::fast::isa::{dispatch, Isa, Job};
use crate::fast::lane::Lane;
use crate::fast::parts::Part;
use crate::fast::plan::Buckets;
use crate::fast::streams::Streams;
use crate::order::Score;
use crate::parallel::map;
use crate::weighted::sums::{Masses, Sums};
use crate::weighted::units::{Range, Unit};

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
    let rows = Part {
        scores,
        positive,
        loads: weights,
    };
    distribute(rows, buckets, call, |streams, threads| {
        count(streams, buckets.count, unit, threads, call)
    })
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
