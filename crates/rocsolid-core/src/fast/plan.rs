//! What to do with the data, decided from a small sample of them.
//!
//! Only speed hangs on the decision: every path gives the same answer for all data. It does not depend on the number
//! of threads, so neither does the result.

use super::lane::Lane;
use super::map::{padded, Affine, Bits, BucketOfCell, Cells, Single, CELLS, MOST_BUCKETS};
use crate::error::{Error, Result};
use crate::order::Score;

/// Values looked at, and at least so many if there are as many.
const MOST_SAMPLED: usize = 1 << 14;
const LEAST_SAMPLED: usize = 256;
/// One row in so many is enough to divide the data, and more are needed to know all of few values.
const ONE_IN: usize = 64;
const ONE_IN_FINER: usize = 16;
/// Rows that a bucket should have: both copies of it fit into a second-level cache with room to spare.
const ROWS_PER_BUCKET: usize = 1 << 14;

/// Values from all over the data, in the order of the rows.
pub(crate) struct Sample<L> {
    pub lanes: Vec<L>,
}

impl<L: Lane> Sample<L> {
    /// One value from each of equally many rows.
    pub fn of<S: Score<Lane = L>>(scores: &[S]) -> Result<Self> {
        Self::checked(places(scores.len(), ONE_IN).map(|i| scores[i].lane()))
    }

    /// A larger one.
    pub fn finer<S: Score<Lane = L>>(scores: &[S]) -> Result<Self> {
        Self::checked(places(scores.len(), ONE_IN_FINER).map(|i| scores[i].lane()))
    }

    /// One value from each of equally many rows, but none of weight 0.
    pub fn of_weighted<S: Score<Lane = L>>(scores: &[S], weights: &[f64]) -> Result<Self> {
        let there = places(scores.len(), ONE_IN).filter(|&i| weights[i] != 0.0);
        Self::checked(there.map(|i| scores[i].lane()))
    }

    fn checked(lanes: impl Iterator<Item = L>) -> Result<Self> {
        let lanes: Vec<L> = lanes.collect();
        let nan = lanes.iter().any(|lane| lane.is_nan());
        (!nan).then_some(Sample { lanes }).ok_or(Error::Nan)
    }

    /// Whether the data may well be in order already, upwards or downwards.
    pub fn looks_sorted(&self) -> bool {
        let rising = self.lanes.windows(2).all(|pair| pair[0] <= pair[1]);
        rising || self.lanes.windows(2).all(|pair| pair[0] >= pair[1])
    }

    /// A short look at whether some scores are alike, which in most data no two are.
    pub fn has_ties(&self) -> bool {
        let some = orders(&self.lanes[..self.lanes.len().min(512)]);
        some.chunk_by(|a, b| a == b).count() <= some.len() / 8 * 7
    }

    /// Whether hardly any value was seen only once, and at most so many are different: then the chance that the next
    /// row brings a new one is small (Good and Turing's estimate: the share of values seen once).
    pub fn repeats_itself(&self, most: usize) -> bool {
        let all = orders(&self.lanes);
        let ties = || all.chunk_by(|a, b| a == b);
        ties().count() <= most && ties().filter(|t| t.len() == 1).count() <= all.len() / 64
    }

    /// Rising orders of at most so many different values.
    pub fn distinct(&self, most: usize) -> Vec<i64> {
        let mut orders = orders(&self.lanes);
        orders.dedup();
        orders.truncate(most);
        orders
    }

    /// The lowest and the highest finite value; zeros if there is none.
    pub fn extent(&self) -> [L; 2] {
        let mut finite = self.lanes.iter().filter(|lane| lane.number().is_finite());
        let first = finite.next().copied().unwrap_or_default();
        finite.fold([first, first], |[low, high], &lane| {
            [
                if lane < low { lane } else { low },
                if lane > high { lane } else { high },
            ]
        })
    }
}

/// A place that looks random from each of equally many rows: periodic data do not fool it.
fn places(rows: usize, one_in: usize) -> impl Iterator<Item = usize> {
    let size = (rows / one_in).clamp(rows.min(LEAST_SAMPLED), MOST_SAMPLED);
    let stride = rows / size.max(1);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut jitter = move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(state) * stride as u128) >> 64) as usize
    };
    (0..size).map(move |i| i * stride + jitter())
}

/// The orders of some scores, rising.
fn orders<L: Lane>(lanes: &[L]) -> Vec<i64> {
    let mut orders: Vec<i64> = lanes.iter().map(|lane| lane.order()).collect();
    orders.sort_unstable();
    orders
}

/// A map from scores to buckets of about equal size.
pub(crate) struct Buckets<L> {
    pub map: Map<L>,
    pub of_cell: Box<BucketOfCell>,
    pub count: usize,
}

/// The shape that spreads the sample best.
pub(crate) enum Map<L> {
    Single(Single),
    Affine(Affine),
    Bits(Bits),
    Splitters(Box<[L; MOST_BUCKETS]>),
}

/// How many buckets suit so many rows.
pub(crate) fn buckets_for(rows: usize) -> usize {
    rows.div_ceil(ROWS_PER_BUCKET).clamp(1, MOST_BUCKETS)
}

impl<L: Lane> Buckets<L> {
    /// Equal shares of the sample for `count` buckets.
    pub fn plan(sample: &Sample<L>, count: usize) -> Self {
        let single = || Buckets {
            map: Map::Single(Single),
            of_cell: Box::new([0; CELLS]),
            count: 1,
        };
        if count < 2 || sample.lanes.is_empty() {
            return single();
        }
        let [low, high] = sample.extent();
        if let Some(map) = Affine::over(low.number(), high.number(), CELLS as u32) {
            if let Some(of_cell) = balanced(&sample.lanes, map, count) {
                return Buckets {
                    map: Map::Affine(map),
                    of_cell,
                    count,
                };
            }
        }
        let map = Bits::over(low.order(), high.order(), CELLS as u32);
        if let Some(of_cell) = balanced(&sample.lanes, map, count) {
            return Buckets {
                map: Map::Bits(map),
                of_cell,
                count,
            };
        }
        Self::split(sample, count).unwrap_or_else(single)
    }

    /// By the quantiles of the sample: slower per row, but balanced for any data.
    fn split(sample: &Sample<L>, count: usize) -> Option<Self> {
        let mut sorted = sample.lanes.clone();
        sorted.sort_unstable_by_key(|lane| lane.order());
        let mut splitters: Vec<L> = (1..count)
            .map(|i| sorted[i * sorted.len() / count])
            .collect();
        splitters.dedup();
        let of_cell = Box::new(std::array::from_fn(|cell| cell.min(splitters.len()) as u16));
        let map = Map::Splitters(padded(&splitters)?);
        Some(Buckets {
            map,
            of_cell,
            count: splitters.len() + 1,
        })
    }
}

/// The buckets of a map's cells, or `None` if the map crowds different scores into too few cells.
fn balanced<L: Lane>(
    sample: &[L],
    map: impl Cells<L>,
    buckets: usize,
) -> Option<Box<BucketOfCell>> {
    let mut cells = vec![Crowd::default(); CELLS];
    for &lane in sample {
        cells[map.cell(lane) as usize % CELLS].add(lane.order());
    }
    let share = (2 * sample.len() / buckets).max(32);
    let crowded: u32 = cells
        .iter()
        .filter(|c| c.mixed() > share)
        .map(|c| c.size)
        .sum();
    (crowded as usize <= sample.len() / 64).then(|| {
        let mut below = 0;
        let bucket = |crowd: &Crowd| {
            let middle = below + crowd.size as usize / 2;
            below += crowd.size as usize;
            (middle * buckets / sample.len()).min(buckets - 1) as u16
        };
        let of_cell: Vec<u16> = cells.iter().map(bucket).collect();
        of_cell.try_into().unwrap_or_else(|_| Box::new([0; CELLS]))
    })
}

/// The sampled values in a cell.
#[derive(Clone, Default)]
struct Crowd {
    size: u32,
    /// The value that leads, if any has a majority, and by how many.
    leader: i64,
    lead: u32,
}

impl Crowd {
    fn add(&mut self, order: i64) {
        self.size += 1;
        if self.lead == 0 {
            self.leader = order;
        }
        if order == self.leader {
            self.lead += 1;
        } else {
            self.lead -= 1;
        }
    }

    /// Twice the values beside a leader: only different ones can, and need to, be spread further.
    fn mixed(&self) -> usize {
        (self.size - self.lead) as usize
    }
}
