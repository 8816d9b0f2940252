//! The rows in the order of their scores.
//!
//! A sample chooses splitters; rows are scattered into buckets of a few thousand, with their keys; each bucket is
//! sorted where it fits the cache. What is sorted are single words, made of what the keys of a bucket differ in and of
//! the place in the bucket, so equal keys stay in the order of the rows. Chunks of rows are scattered, and buckets
//! sorted, on several threads.

use crate::error::{same_length, Error, Result};
use crate::order::{Direction, Score};
use crate::parallel::finish;
use crate::splitters::{Splitters, ABREAST};

/// Below this many rows, starting a thread costs more than it saves.
const WORTH_A_THREAD: usize = 100_000;

/// A row in the order: `row << 2 | starts a new score << 1 | positive`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Entry(u64);

impl Entry {
    /// Its place in the input.
    #[inline]
    pub fn row(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// Whether its score is another than the row's before.
    #[inline]
    pub fn starts(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether it is positive.
    #[inline]
    pub fn positive(self) -> bool {
        self.0 & 1 != 0
    }
}

/// A key and its row, `row << 2 | positive`.
type Keyed = (u64, u64);

/// All rows, strict to lenient; rows of one score in the order of the input.
pub(crate) struct Ranking {
    entries: Vec<Entry>,
    /// Where each bucket ends. A score is never in two.
    ends: Vec<usize>,
}

impl Ranking {
    /// Strict to lenient is downwards if `descending`, else upwards.
    pub fn new<S: Score<Key: Into<u64>>>(
        scores: &[S],
        positive: &[u8],
        descending: bool,
        threads: usize,
    ) -> Result<Self> {
        same_length(&[scores.len(), positive.len()])?;
        let n = scores.len();
        let direction = Direction { descending };
        // A NaN sorts somewhere here, and is found when its row is read.
        let splitters = Splitters::sample(n, |i| direction.key(scores[i]).map_or(0, Into::into));
        let threads = threads.clamp(1, n / WORTH_A_THREAD + 1);
        let size = n.div_ceil(threads).max(1);
        let chunks = scores.chunks(size).zip(positive.chunks(size)).enumerate();
        let scattered = finish(
            chunks,
            threads,
            Vec::new,
            |done, (i, (scores, positive))| {
                done.push((
                    i,
                    scatter(scores, positive, i * size, direction, &splitters),
                ));
            },
        );
        let mut scattered: Vec<_> = scattered.into_iter().flatten().collect();
        scattered.sort_unstable_by_key(|&(i, _)| i);
        let chunks: Result<Vec<Buckets>> = scattered.into_iter().map(|(_, chunk)| chunk).collect();
        Ok(sort_buckets(&chunks?, splitters.buckets(), n, threads))
    }

    /// The order, bucket by bucket: pieces that no score is in two of.
    pub fn pieces(&self) -> impl Iterator<Item = &[Entry]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts
            .zip(&self.ends)
            .map(|(&start, &end)| &self.entries[start..end])
    }

    /// The whole order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// The rows of a chunk by bucket.
struct Buckets {
    rows: Vec<Keyed>,
    ends: Vec<usize>,
}

impl Buckets {
    fn get(&self, bucket: usize) -> &[Keyed] {
        let start = if bucket == 0 {
            0
        } else {
            self.ends[bucket - 1]
        };
        &self.rows[start..self.ends[bucket]]
    }
}

/// Scatters a chunk of rows, of which the first is row `first`.
fn scatter<S: Score<Key: Into<u64>>>(
    scores: &[S],
    positive: &[u8],
    first: usize,
    direction: Direction,
    splitters: &Splitters,
) -> Result<Buckets> {
    let buckets = classify(scores, direction, splitters)?;
    let mut ends = vec![0; splitters.buckets()];
    buckets
        .iter()
        .for_each(|&bucket| ends[usize::from(bucket)] += 1);
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    // Each end is a start now, and moves up to be an end.
    let mut rows = vec![(0, 0); scores.len()];
    for (i, ((&score, &positive), bucket)) in scores.iter().zip(positive).zip(buckets).enumerate() {
        let key = direction.key(score)?.into();
        let place = &mut ends[usize::from(bucket)];
        rows[*place] = (key, ((first + i) as u64) << 2 | u64::from(positive != 0));
        *place += 1;
    }
    Ok(Buckets { rows, ends })
}

/// The bucket of each row.
fn classify<S: Score<Key: Into<u64>>>(
    scores: &[S],
    direction: Direction,
    splitters: &Splitters,
) -> Result<Vec<u16>> {
    let mut buckets = Vec::with_capacity(scores.len());
    let (mut keys, mut any_nan) = ([0; ABREAST], false);
    for scores in scores.chunks(ABREAST) {
        for (key, &score) in keys.iter_mut().zip(scores) {
            any_nan |= score.is_nan();
            *key = direction.key(score).map_or(0, Into::into);
        }
        buckets.extend_from_slice(&splitters.buckets_of(&keys)[..scores.len()]);
    }
    (!any_nan).then_some(buckets).ok_or(Error::Nan)
}

/// Sorts each bucket into its place in the order.
fn sort_buckets(chunks: &[Buckets], buckets: usize, n: usize, threads: usize) -> Ranking {
    let mut entries = vec![Entry::default(); n];
    let mut ends = Vec::with_capacity(buckets);
    let (mut rest, mut places) = (&mut entries[..], Vec::with_capacity(buckets));
    for bucket in 0..buckets {
        let size = chunks.iter().map(|chunk| chunk.get(bucket).len()).sum();
        let (place, others) = rest.split_at_mut(size);
        rest = others;
        ends.push(n - rest.len());
        places.push((bucket, place));
    }
    let sort = |sorter: &mut Sorter, (bucket, place): (usize, &mut [Entry])| {
        let parts = chunks.iter().map(|chunk| chunk.get(bucket));
        sorter.sort(parts, place);
    };
    finish(places.into_iter(), threads, Sorter::default, sort);
    Ranking { entries, ends }
}

/// Sorts one bucket after the other.
#[derive(Default)]
struct Sorter {
    rows: Vec<Keyed>,
    words: Vec<u64>,
}

impl Sorter {
    /// Sorts the rows in `parts`, which are in the order of the input.
    fn sort<'a>(&mut self, parts: impl Iterator<Item = &'a [Keyed]>, place: &mut [Entry]) {
        self.rows.clear();
        parts.for_each(|part| self.rows.extend_from_slice(part));
        let low = self.rows.iter().map(|row| row.0).min().unwrap_or(0);
        let high = self.rows.iter().map(|row| row.0).max().unwrap_or(0);
        let mut last = low.wrapping_sub(1);
        if low == high {
            for (i, (entry, row)) in place.iter_mut().zip(&self.rows).enumerate() {
                *entry = Entry(row.1 | u64::from(i == 0) << 1);
            }
            return;
        }
        let place_bits = usize::BITS - (self.rows.len() - 1).leading_zeros();
        self.sort_words(low, high, place_bits);
        for (entry, word) in place.iter_mut().zip(&self.words) {
            let (key, row) = self.rows[(word & !(u64::MAX << place_bits)) as usize];
            *entry = Entry(row | u64::from(key != last) << 1);
            last = key;
        }
    }

    /// Sorts words whose lower bits are the place in the bucket, whose upper ones are the key as far as they go.
    fn sort_words(&mut self, low: u64, high: u64, place_bits: u32) {
        let key_bits = u64::BITS - (high - low).leading_zeros();
        let lost = (key_bits + place_bits).saturating_sub(u64::BITS);
        let word = |(i, &(key, _)): (usize, &Keyed)| (key - low) >> lost << place_bits | i as u64;
        self.words.clear();
        self.words.extend(self.rows.iter().enumerate().map(word));
        self.words.sort_unstable();
        if lost > 0 {
            // The bits that were lost decide between words that agree in all others.
            let key = |word: u64| self.rows[(word & !(u64::MAX << place_bits)) as usize].0;
            for alike in self
                .words
                .chunk_by_mut(|a, b| a >> place_bits == b >> place_bits)
            {
                alike.sort_by_key(|&word| key(word));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    /// The slow and obvious way: a stable sort of the rows.
    fn check<S: Score<Key: Into<u64>>>(scores: &[S], positive: &[u8], threads: usize) {
        for descending in [false, true] {
            let key = |i: usize| Direction { descending }.key(scores[i]).unwrap();
            let mut rows: Vec<usize> = (0..scores.len()).collect();
            rows.sort_by_key(|&i| key(i));
            let ranking = Ranking::new(scores, positive, descending, threads).unwrap();
            assert_eq!(ranking.entries().len(), rows.len());
            for (place, (entry, &row)) in ranking.entries().iter().zip(&rows).enumerate() {
                assert_eq!(entry.row(), row);
                assert_eq!(entry.positive(), positive[row] != 0);
                let starts = place == 0 || key(rows[place - 1]) != key(row);
                assert_eq!(entry.starts(), starts);
            }
            let in_pieces: usize = ranking.pieces().map(<[Entry]>::len).sum();
            assert_eq!(in_pieces, rows.len());
            let mut heads = ranking.pieces().filter_map(<[Entry]>::first);
            assert!(heads.all(|head| head.starts()));
        }
    }

    fn labels(rng: &mut Rng, n: usize) -> Vec<u8> {
        (0..n).map(|_| (rng.below(3) * 7 % 5) as u8).collect()
    }

    #[test]
    fn small_orders() {
        let mut rng = Rng::new(42);
        let values = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            5e-324,
            -5e-324,
            1.0,
            f64::MAX,
        ];
        for n in 0..100 {
            let scores: Vec<f64> = (0..n).map(|_| values[rng.below(8) as usize]).collect();
            check(&scores, &labels(&mut rng, n), 1);
            let scores: Vec<f64> = (0..n)
                .map(|_| f64::from_bits(rng.next() >> 12 << 1))
                .collect();
            check(&scores, &labels(&mut rng, n), 2);
            let scores: Vec<i64> = (0..n).map(|_| (1 << 60) + rng.below(9) as i64).collect();
            check(&scores, &labels(&mut rng, n), 2);
        }
    }

    #[test]
    fn large_orders_of_every_shape() {
        let mut rng = Rng::new(43);
        let n = 2 * WORTH_A_THREAD + 77;
        let positive = labels(&mut rng, n);
        let mut shape = |value: &mut dyn FnMut(&mut Rng, usize) -> f64, threads| {
            let scores: Vec<f64> = (0..n).map(|i| value(&mut rng, i)).collect();
            check(&scores, &positive, threads);
        };
        shape(&mut |rng, _| rng.unit() - 0.5, 1);
        shape(&mut |rng, _| rng.unit() + rng.unit() - 1.0, 2);
        shape(&mut |rng, _| rng.below(1000) as f64, 3);
        shape(
            &mut |rng, _| rng.below(2) as f64 * 1e300 + rng.unit() * 1e-300,
            3,
        );
        shape(
            &mut |rng, _| if rng.below(2) == 0 { 0.0 } else { rng.unit() },
            2,
        );
        shape(&mut |_, i| i as f64, 2);
        shape(&mut |_, i| -(i as f64), 7);
        shape(&mut |_, _| 3.0, 2);
        let scores: Vec<f32> = (0..n).map(|i| (i % 5000) as f32).collect();
        check(&scores, &positive, 2);
    }

    #[test]
    fn bad_columns_are_refused() {
        assert_eq!(
            Ranking::new(&[1.0], &[], true, 1).err(),
            Some(Error::Length)
        );
        for n in [2, 300_000] {
            let mut scores = vec![0.5; n];
            scores[n - 1] = f64::NAN;
            let found = Ranking::new(&scores, &vec![1; n], true, 2);
            assert_eq!(found.err(), Some(Error::Nan));
        }
    }
}
