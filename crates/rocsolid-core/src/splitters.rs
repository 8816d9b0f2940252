//! Which keys share a bucket: splitters from a sample, and a search among them without a branch.

use crate::random::{Purpose, Random};

/// Levels of the search tree: up to 1,024 buckets.
const MOST_LEVELS: u32 = 10;

/// Most buckets.
pub(crate) const MOST_BUCKETS: usize = 1 << MOST_LEVELS;

/// Rows for which a bucket is worth its while: they are then sorted in the fastest caches.
const BUCKET: usize = 2048;

/// Keys sampled for each splitter.
const OVERSAMPLING: usize = 16;

/// Keys that are searched for side by side, to hide the latency of each.
pub(crate) const ABREAST: usize = 8;

/// Sorted splitters as a binary tree in an array: the children of `i` are `2 i` and `2 i + 1`, the root is 1.
pub(crate) struct Splitters {
    tree: Box<[u64; MOST_BUCKETS]>,
    levels: u32,
}

impl Splitters {
    /// For `n` keys, of which `key` gives any.
    ///
    /// With few distinct keys in the sample each becomes a splitter, so that most buckets hold just one: nothing is
    /// left to sort then. Otherwise splitters are quantiles of the sample.
    pub fn sample(n: usize, key: impl Fn(usize) -> u64) -> Self {
        let wanted = (n / BUCKET + 1).next_power_of_two().min(MOST_BUCKETS);
        if wanted == 1 {
            return Self::new(&[]);
        }
        // One key from each of equally long stretches, at a random place, so that no period in the data is met.
        let size = (wanted * OVERSAMPLING).min(n);
        let mut random = Random::new(n as u64, 0, Purpose::Sample);
        let mut place = |i: usize| i * (n / size) + (random.next() % (n / size) as u64) as usize;
        let mut sample: Vec<u64> = (0..size).map(|i| key(place(i))).collect();
        sample.sort_unstable();
        let quantiles: Vec<u64> = (1..wanted).map(|i| sample[i * size / wanted]).collect();
        sample.dedup();
        if sample.len() < MOST_BUCKETS {
            Self::new(&sample)
        } else {
            Self::new(&quantiles)
        }
    }

    /// Fewer than [`MOST_BUCKETS`] sorted keys.
    fn new(sorted: &[u64]) -> Self {
        let levels = (sorted.len() + 1).next_power_of_two().ilog2();
        let mut tree = Box::new([u64::MAX; MOST_BUCKETS]);
        for level in 0..levels {
            for i in 0..1usize << level {
                // In sorted order, the nodes of a level are the odd multiples of its stride.
                let place = ((2 * i + 1) << (levels - level - 1)) - 1;
                tree[(1 << level) + i] = sorted.get(place).copied().unwrap_or(u64::MAX);
            }
        }
        Splitters { tree, levels }
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        1 << self.levels
    }

    /// The bucket of each key: how many splitters are below it.
    #[inline]
    pub fn buckets_of(&self, keys: &[u64; ABREAST]) -> [u16; ABREAST] {
        let mut nodes = [1usize; ABREAST];
        for _ in 0..self.levels {
            for (node, &key) in nodes.iter_mut().zip(keys) {
                *node = 2 * *node + usize::from(self.tree[*node % MOST_BUCKETS] < key);
            }
        }
        nodes.map(|node| (node - (1 << self.levels)) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    #[test]
    fn a_bucket_is_the_number_of_lower_splitters() {
        let mut rng = Rng::new(40);
        for size in [0, 1, 2, 3, 4, 100, 511, 512, 1023] {
            let mut sorted: Vec<u64> = (0..size).map(|_| rng.below(2000)).collect();
            sorted.sort_unstable();
            let splitters = Splitters::new(&sorted);
            for _ in 0..200 {
                let keys = std::array::from_fn(|i| if i == 0 { u64::MAX } else { rng.below(2001) });
                let expected = keys.map(|key| sorted.iter().filter(|&&s| s < key).count());
                let found = splitters.buckets_of(&keys).map(usize::from);
                assert_eq!(found, expected);
                assert!(found[0] < splitters.buckets());
            }
        }
    }

    #[test]
    fn buckets_are_of_a_size() {
        let mut rng = Rng::new(41);
        let keys: Vec<u64> = (0..100_000).map(|_| rng.next() >> rng.below(50)).collect();
        let splitters = Splitters::sample(keys.len(), |i| keys[i]);
        let mut sizes = vec![0; splitters.buckets()];
        for keys in keys.chunks_exact(ABREAST) {
            let keys = std::array::from_fn(|i| keys[i]);
            for bucket in splitters.buckets_of(&keys) {
                sizes[usize::from(bucket)] += 1;
            }
        }
        assert_eq!(sizes.len(), 64);
        assert!(
            sizes.iter().all(|&size| size < 5 * 100_000 / 64),
            "{sizes:?}"
        );
    }

    #[test]
    fn few_keys_have_a_bucket_each() {
        let splitters = Splitters::sample(1 << 20, |i| (i % 700) as u64 * 1000);
        let keys: [u64; ABREAST] = std::array::from_fn(|i| i as u64 * 1000);
        assert_eq!(splitters.buckets_of(&keys), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(splitters.buckets(), 1024);
    }
}
