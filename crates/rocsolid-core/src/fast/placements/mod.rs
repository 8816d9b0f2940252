//! Placements from the distribution: nothing is put in order.
//!
//! Twice the placement of a row is twice the rows of the other class on one side of it, and once those tied. Buckets
//! tell how many lie beyond them, and within a leaf every row is compared with every row of the other class.
//!
//! Where a row came from is never written down. A second walk over the rows finds the stream of each again; rows of a
//! stream come in the order in which they went in, so a cursor for each stream leads back.

mod back;
mod bucket;

use super::compare::Compare;
use super::distribute::{distribute, pieces, sizes};
use super::isa::dispatch;
use super::map::MOST_BUCKETS;
use super::parts::{Part, Parts};
use super::plan::{Buckets, Sample};
use super::scratch::advise;
use super::streams::{Streams, MOST_STREAMS};
use super::{some_buckets, Path, TOO_FEW};
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;
use crate::parallel::map;
use crate::rows::{placements_by_sorting, Column};
use crate::subnormals::Subnormals;
use back::Back;
use bucket::{Bucket, Room, Rule};

/// Rows that a bucket should have. Fewer than the areas' have, as each brings two integers along.
const ROWS_PER_BUCKET: usize = 1 << 14;

/// Twice the placement of each row: for a positive `2 x negatives more lenient + negatives tied`, for a negative
/// `2 x positives stricter + positives tied`.
///
/// Strict to lenient is downwards if `descending`, else upwards. Narrow if twice the larger class fits 32 bits. Of the
/// paths named, `Distribute` leads here; the others sort.
pub fn placements<S: Score<Key: Into<u64>>>(
    path: Path,
    scores: &[S],
    positive: &[u8],
    descending: bool,
    call: &Call,
) -> Result<Column> {
    same_length(&[scores.len(), positive.len()])?;
    call.check()?;
    let count = match path {
        Path::Auto if scores.len() >= TOO_FEW => {
            scores.len().div_ceil(ROWS_PER_BUCKET).min(MOST_BUCKETS)
        }
        Path::Distribute if !scores.is_empty() => some_buckets(scores.len()),
        _ => return placements_by_sorting(scores, positive, descending, call),
    };
    let _subnormals = Subnormals::seen();
    let buckets = Buckets::plan(&Sample::of(scores)?, count);
    distribute(
        Part::new(scores, positive),
        &buckets,
        call,
        |streams, threads| {
            let filled = Filled::new(streams, &buckets, descending, threads);
            Ok(if filled.is_narrow() {
                Column::Narrow(filled.place::<u32, S>(scores, positive, call)?)
            } else {
                Column::Wide(filled.place::<u64, S>(scores, positive, call)?)
            })
        },
    )
}

/// An integer that a placement is written as, if it fits.
pub(crate) trait Place: Copy + Default + Send + Sync {
    /// The number modulo its own size.
    fn of(twice: u64) -> Self;
}

impl Place for u32 {
    #[inline(always)]
    fn of(twice: u64) -> u32 {
        twice as u32
    }
}

impl Place for u64 {
    #[inline(always)]
    fn of(twice: u64) -> u64 {
        twice
    }
}

/// The rows in their streams.
struct Filled<'a, 's, L> {
    streams: &'a [Streams<'s, L>],
    buckets: &'a Buckets<L>,
    /// Negatives and positives of each bucket, and of all.
    sizes: Vec<[usize; 2]>,
    all: [u64; 2],
    descending: bool,
    threads: usize,
}

impl<'a, 's, L: Compare> Filled<'a, 's, L> {
    fn new(
        streams: &'a [Streams<'s, L>],
        buckets: &'a Buckets<L>,
        descending: bool,
        threads: usize,
    ) -> Self {
        let sizes = sizes(streams, buckets.count);
        let all = [0, 1].map(|class| sizes.iter().map(|size| size[class] as u64).sum());
        Filled {
            streams,
            buckets,
            sizes,
            all,
            descending,
            threads,
        }
    }

    fn is_narrow(&self) -> bool {
        self.all.iter().all(|&rows| 2 * rows <= u64::from(u32::MAX))
    }

    fn place<T: Place, S: Score<Lane = L>>(
        &self,
        scores: &[S],
        positive: &[u8],
        call: &Call,
    ) -> Result<Vec<T>> {
        let by_stream = self.by_stream::<T>(scores.len(), call)?;
        let mut by_row = zeros(scores.len());
        let parts = Parts::new(Part::new(scores, positive), call);
        let places = by_row.chunks_mut(parts.size);
        let jobs = parts.iter().zip(places).zip(self.cursors());
        let lead_back = |(): &mut (), ((part, places), cursors)| {
            let back = Back {
                by_stream: &by_stream,
                cursors,
                of_cell: &self.buckets.of_cell,
            };
            back.lead(part, places, &self.buckets.map, call)
        };
        map(call, self.threads, jobs, || (), lead_back)?;
        Ok(by_row)
    }

    /// The placements of each stream's rows in their order, one stream behind the other.
    fn by_stream<T: Place>(&self, rows: usize, call: &Call) -> Result<Vec<T>> {
        let mut places = zeros(rows);
        let (mut rest, mut below) = (&mut places[..], [0, 0]);
        let jobs = self.sizes.iter().enumerate().map(|(b, &[n_neg, n_pos])| {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(n_neg + n_pos);
            rest = others;
            let [neg_below, pos_below] = below;
            below = [neg_below + n_neg as u64, pos_below + n_pos as u64];
            let of_neg = Rule::new(pos_below, self.all[1], !self.descending);
            let of_pos = Rule::new(neg_below, self.all[0], self.descending);
            (b, [of_neg, of_pos], here)
        });
        let place = |room: &mut Room<L>, (b, rules, places): (usize, [Rule; 2], &mut [T])| {
            room.reserve(places.len());
            dispatch(Bucket {
                classes: [2 * b, 2 * b + 1].map(|stream| pieces(self.streams, stream)),
                n_neg: self.sizes[b][0],
                rules,
                room,
                places,
            });
            Ok(())
        };
        map(call, self.threads, jobs, Room::default, place)?;
        Ok(places)
    }

    /// Where the rows of each stream begin, for each part of the rows.
    fn cursors(&self) -> Vec<Box<[usize; MOST_STREAMS]>> {
        let mut cursors = vec![Box::new([0; MOST_STREAMS]); self.streams.len()];
        let mut start = 0;
        for stream in 0..2 * self.buckets.count {
            for (cursors, part) in cursors.iter_mut().zip(self.streams) {
                cursors[stream] = start;
                start += part.rows(stream);
            }
        }
        cursors
    }
}

/// Zeros that are written for the first time by who fills them.
fn zeros<T: Place>(n: usize) -> Vec<T> {
    let mut zeros = vec![T::default(); n];
    advise(&mut zeros);
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{on, Rng};

    #[test]
    fn wide_and_narrow_agree() {
        let mut rng = Rng::new(48);
        let scores: Vec<f32> = (0..40_000).map(|_| rng.below(9000) as f32).collect();
        let positive: Vec<u8> = scores.iter().map(|_| rng.below(3) as u8).collect();
        let buckets = Buckets::plan(&Sample::of(&scores).unwrap(), 50);
        let call = on(2);
        for descending in [true, false] {
            let both = distribute(
                Part::new(&scores, &positive),
                &buckets,
                &call,
                |streams, threads| {
                    let filled = Filled::new(streams, &buckets, descending, threads);
                    assert!(filled.is_narrow());
                    let narrow = filled.place::<u32, f32>(&scores, &positive, &call)?;
                    Ok((narrow, filled.place::<u64, f32>(&scores, &positive, &call)?))
                },
            );
            let (narrow, wide) = both.unwrap();
            let by_sorting = placements_by_sorting(&scores, &positive, descending, &call);
            assert!(wide.iter().zip(&narrow).all(|(&a, &b)| a == u64::from(b)));
            assert_eq!(by_sorting, Ok(Column::Narrow(narrow)));
        }
    }
}
