//! The rows in the order of their scores.
//!
//! A sample chooses splitters; rows are scattered into buckets of a few thousand, with their keys; each bucket is
//! sorted where it fits the cache. What is sorted are single words, made of what the keys of a bucket differ in and of
//! the place in the bucket, so equal keys stay in the order of the rows. Chunks of rows are scattered, and buckets
//! sorted, on several threads.

use crate::call::Call;
use crate::error::{same_length, Error, Result};
use crate::order::{Direction, Score};
use crate::parallel::map;
use crate::splitters::{Splitters, ABREAST};

/// Below this many rows, waking a thread costs more than it saves.
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

/// All rows by bucket. Lower buckets are stricter, and a score is never in two.
pub(crate) struct Ranking {
    /// Stretches of the input, one after the other.
    chunks: Vec<Chunk>,
    buckets: Vec<Bucket>,
    rows: usize,
}

/// Where a bucket lies in the order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bucket {
    index: usize,
    /// Rows in stricter buckets.
    pub rows_above: u64,
    /// Positives in stricter buckets.
    pub pos_above: u64,
}

impl Ranking {
    /// Strict to lenient is downwards if `descending`, else upwards.
    pub fn new<S: Score<Key: Into<u64>>>(
        scores: &[S],
        positive: &[u8],
        descending: bool,
        call: &Call,
    ) -> Result<Self> {
        same_length(&[scores.len(), positive.len()])?;
        let n = scores.len();
        let direction = Direction { descending };
        // A NaN sorts somewhere here, and is found when its row is read.
        let splitters = Splitters::sample(n, |i| direction.key(scores[i]).map_or(0, Into::into));
        let threads = call.threads.clamp(1, n / WORTH_A_THREAD + 1);
        let size = n.div_ceil(threads).max(1);
        let chunks = scores.chunks(size).zip(positive.chunks(size));
        let scatter = |(): &mut (), (first, (scores, positive))| {
            Chunk::scatter(scores, positive, first, direction, &splitters, call)
        };
        let chunks = (0..).step_by(size).zip(chunks);
        let chunks = map(call, threads, chunks, || (), scatter)?;
        let mut next = Bucket::default();
        let buckets = (0..splitters.buckets()).map(|index| {
            let bucket = Bucket { index, ..next };
            for chunk in &chunks {
                next.rows_above += chunk.bucket(index).len() as u64;
                next.pos_above += chunk.positives[index];
            }
            bucket
        });
        let buckets = buckets.collect();
        Ok(Ranking {
            chunks,
            buckets,
            rows: n,
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many of them are positive.
    pub fn positives(&self) -> u64 {
        self.chunks.iter().flat_map(|chunk| &chunk.positives).sum()
    }

    /// Shows each bucket in order, strict to lenient, rows of one score in the order of the input. Buckets come in
    /// any order, and on several threads.
    pub fn visit(&self, call: &Call, visit: impl Fn(Bucket, &[Entry]) + Sync) -> Result<()> {
        let buckets = self.buckets.iter();
        let show = |sorter: &mut Sorter, bucket: &Bucket| {
            visit(*bucket, sorter.sort(&self.chunks, bucket.index));
            Ok(())
        };
        map(call, self.threads(call), buckets, Sorter::default, show)?;
        Ok(())
    }

    fn threads(&self, call: &Call) -> usize {
        call.threads.min(self.rows / WORTH_A_THREAD + 1)
    }

    /// The whole order.
    pub fn entries(&self, call: &Call) -> Result<Vec<Entry>> {
        let mut entries = vec![Entry::default(); self.rows];
        let mut rest = &mut entries[..];
        let places = self.buckets.iter().map(|bucket| {
            let size = self
                .chunks
                .iter()
                .map(|chunk| chunk.bucket(bucket.index).len())
                .sum();
            let (place, others) = std::mem::take(&mut rest).split_at_mut(size);
            rest = others;
            (bucket.index, place)
        });
        let fill = |sorter: &mut Sorter, (bucket, place): (usize, &mut [Entry])| {
            place.copy_from_slice(sorter.sort(&self.chunks, bucket));
            Ok(())
        };
        map(call, self.threads(call), places, Sorter::default, fill)?;
        Ok(entries)
    }
}

/// A stretch of the rows, by bucket.
struct Chunk {
    rows: Vec<Keyed>,
    /// Where each bucket ends.
    ends: Vec<usize>,
    /// How many positives each bucket has.
    positives: Vec<u64>,
}

impl Chunk {
    fn bucket(&self, index: usize) -> &[Keyed] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.rows[start..self.ends[index]]
    }

    /// The rows from row `first` on.
    fn scatter<S: Score<Key: Into<u64>>>(
        scores: &[S],
        positive: &[u8],
        first: usize,
        direction: Direction,
        splitters: &Splitters,
        call: &Call,
    ) -> Result<Self> {
        let buckets = classify(scores, direction, splitters, call)?;
        let mut ends = vec![0; splitters.buckets()];
        buckets
            .iter()
            .for_each(|&bucket| ends[usize::from(bucket)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // Each end is a start now, and moves up to be an end.
        let (mut rows, mut positives) = (vec![(0, 0); scores.len()], vec![0; ends.len()]);
        let labelled = scores.iter().zip(positive).zip(first as u64..);
        call.for_each(
            labelled.zip(buckets),
            |(((&score, &positive), row), bucket)| {
                let (bucket, positive) = (usize::from(bucket), u64::from(positive != 0));
                rows[ends[bucket]] = (direction.key(score)?.into(), row << 2 | positive);
                ends[bucket] += 1;
                positives[bucket] += positive;
                Ok(())
            },
        )?;
        Ok(Chunk {
            rows,
            ends,
            positives,
        })
    }
}

/// The bucket of each row.
fn classify<S: Score<Key: Into<u64>>>(
    scores: &[S],
    direction: Direction,
    splitters: &Splitters,
    call: &Call,
) -> Result<Vec<u16>> {
    let mut buckets = Vec::with_capacity(scores.len());
    let (mut keys, mut any_nan) = ([0; ABREAST], false);
    call.for_each(scores.chunks(ABREAST), |scores| {
        for (key, &score) in keys.iter_mut().zip(scores) {
            any_nan |= score.is_nan();
            *key = direction.key(score).map_or(0, Into::into);
        }
        buckets.extend_from_slice(&splitters.buckets_of(&keys)[..scores.len()]);
        Ok(())
    })?;
    (!any_nan).then_some(buckets).ok_or(Error::Nan)
}

/// Sorts one bucket after the other.
#[derive(Default)]
struct Sorter {
    rows: Vec<Keyed>,
    words: Vec<u64>,
    entries: Vec<Entry>,
}

impl Sorter {
    /// The entries of a bucket, in order.
    fn sort(&mut self, chunks: &[Chunk], bucket: usize) -> &[Entry] {
        self.rows.clear();
        for chunk in chunks {
            self.rows.extend_from_slice(chunk.bucket(bucket));
        }
        self.entries.clear();
        let keys = self.rows.iter().map(|row| row.0);
        let low = keys.clone().min().unwrap_or(0);
        let high = keys.max().unwrap_or(0);
        if low == high {
            let entry = |(i, row): (usize, &Keyed)| Entry(row.1 | u64::from(i == 0) << 1);
            self.entries.extend(self.rows.iter().enumerate().map(entry));
            return &self.entries;
        }
        let place_bits = usize::BITS - (self.rows.len() - 1).leading_zeros();
        self.sort_words(low, high, place_bits);
        let mut last = low.wrapping_sub(1); // any key but the first
        self.entries.extend(self.words.iter().map(|word| {
            let (key, row) = self.rows[place_in(*word, place_bits)];
            let starts = u64::from(key != last);
            last = key;
            Entry(row | starts << 1)
        }));
        &self.entries
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
            for alike in self
                .words
                .chunk_by_mut(|a, b| a >> place_bits == b >> place_bits)
            {
                alike.sort_by_key(|&word| self.rows[place_in(word, place_bits)].0);
            }
        }
    }
}

/// The lower bits of a word.
#[inline]
fn place_in(word: u64, place_bits: u32) -> usize {
    (word & !(u64::MAX << place_bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{on, Rng};

    /// The slow and obvious way: a stable sort of the rows.
    fn check<S: Score<Key: Into<u64>>>(scores: &[S], positive: &[u8], threads: usize) {
        for descending in [false, true] {
            let key = |i: usize| Direction { descending }.key(scores[i]).unwrap();
            let mut rows: Vec<usize> = (0..scores.len()).collect();
            rows.sort_by_key(|&i| key(i));
            let ranking = Ranking::new(scores, positive, descending, &on(threads)).unwrap();
            let entries = ranking.entries(&on(threads)).unwrap();
            assert_eq!(entries.len(), rows.len());
            for (place, (entry, &row)) in entries.iter().zip(&rows).enumerate() {
                assert_eq!(entry.row(), row);
                assert_eq!(entry.positive(), positive[row] != 0);
                let starts = place == 0 || key(rows[place - 1]) != key(row);
                assert_eq!(entry.starts(), starts);
            }
            ranking
                .visit(&on(threads), |bucket, shown| {
                    let (above, rest) = entries.split_at(bucket.rows_above as usize);
                    assert_eq!(shown, &rest[..shown.len()]);
                    assert!(shown.first().is_none_or(|first| first.starts()));
                    let pos_above = above.iter().filter(|entry| entry.positive()).count();
                    assert_eq!(bucket.pos_above, pos_above as u64);
                })
                .unwrap();
            let pos = entries.iter().filter(|entry| entry.positive()).count();
            assert_eq!(
                (ranking.rows(), ranking.positives()),
                (scores.len(), pos as u64)
            );
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
            Ranking::new(&[1.0], &[], true, &on(1)).err(),
            Some(Error::Length)
        );
        for n in [2, 300_000] {
            let mut scores = vec![0.5; n];
            scores[n - 1] = f64::NAN;
            let found = Ranking::new(&scores, &vec![1; n], true, &on(2));
            assert_eq!(found.err(), Some(Error::Nan));
        }
    }
}
