//! Exact multinomial draws, with replacement, counted by urn: as many as there are rows, or about as many.
//!
//! An *urn* is a set of rows that nobody needs to tell apart: the positives with one score, say. Urns of few rows are
//! put together into *parts* of 2,048 rows. Each part, and each urn of many rows, takes a binomial share of the draws
//! that are left (the conditional distributions of a multinomial are binomial); in a part the rows are then drawn one
//! by one, into counts that fit the fastest cache. So a draw costs the same for any number of rows, and a sweep of few
//! urns costs a few binomials, however many rows it counts.
//!
//! A deal goes through the slots in order and hands over their counts segment by segment: a replicate of a billion
//! scores is never held whole.

use crate::binomial::binomial;
use crate::error::{Error, Result};
use crate::poisson::poisson;
use crate::random::Random;
use crate::scheme::Scheme;

/// Rows of a part. A power of two, so 16 random bits choose a row; small, so the counts of its urns fit the L1 cache.
const PART: usize = 2048;

/// Slots whose counts are kept at a time, so that they never leave the second cache. Even: both classes of a row of a
/// table are in one segment. An offset in it has 16 bits.
pub(crate) const SEGMENT: usize = 1 << 16;

/// An urn of so many rows is cheaper to serve by a binomial than row by row.
const HEAVY: u64 = 48;

/// A count of draws: 32 bits where the draws fit, 64 where they do not.
pub(crate) trait Count: Copy + Default + Send + Sync + Into<u64> {
    /// One more. The caller bounds the number of draws.
    fn increment(&mut self);

    /// So many more. The caller bounds the number of draws.
    fn increase(&mut self, by: u64);

    /// A count, or a sum of counts, as a float.
    fn float(sum: u64) -> f64;
}

impl Count for u32 {
    #[inline]
    fn increment(&mut self) {
        *self += 1;
    }

    #[inline]
    fn increase(&mut self, by: u64) {
        *self += by as u32; // at most all draws, which fit
    }

    #[inline]
    fn float(sum: u64) -> f64 {
        sum as i64 as f64 // sums of these fit 63 bits, and signed is one instruction where unsigned are five
    }
}

impl Count for u64 {
    #[inline]
    fn increment(&mut self) {
        *self += 1;
    }

    #[inline]
    fn increase(&mut self, by: u64) {
        *self += by;
    }

    #[inline]
    fn float(sum: u64) -> f64 {
        sum as f64
    }
}

/// Urns by slot, and how many rows each holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Urn {
    /// Which count its draws go to.
    pub slot: usize,
    /// Whether its rows are positive.
    pub positive: bool,
    /// How many rows it holds.
    pub rows: u64,
}

/// How to deal draws to urns. Made once for all replicates.
#[derive(Debug)]
pub(crate) struct Deal {
    /// One deal to all urns, or one for each class.
    decks: Vec<Deck>,
    slots: usize,
    scheme: Scheme,
}

impl Deal {
    /// Takes urns in rising order of slots, all below `slots`.
    pub fn new(
        urns: impl Iterator<Item = Urn> + Clone,
        slots: usize,
        scheme: Scheme,
    ) -> Result<Self> {
        let decks = if scheme == Scheme::Stratified {
            let class = |positive| urns.clone().filter(move |urn| urn.positive == positive);
            vec![
                Deck::new(class(true), slots)?,
                Deck::new(class(false), slots)?,
            ]
        } else {
            vec![Deck::new(urns, slots)?]
        };
        let deal = Deal {
            decks,
            slots,
            scheme,
        };
        deal.most_draws().map(|_| deal)
    }

    /// What the number of draws never passes.
    pub fn most_draws(&self) -> Result<u64> {
        let mut decks = self.decks.iter();
        let rows = decks.try_fold(0u64, |sum, deck| sum.checked_add(deck.rows));
        let most = match self.scheme {
            // Its chance is below 1e-90, far from any that `poisson` takes.
            Scheme::Poisson => rows.and_then(|rows| rows.checked_mul(2)?.checked_add(200)),
            Scheme::Multinomial | Scheme::Stratified => rows,
        };
        most.ok_or(Error::CountOverflow)
    }

    /// How many counts a deal has.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Deals once; calls `take` with the counts of all slots, [`SEGMENT`] by [`SEGMENT`]. All draws fit the count.
    /// `counts` is room to work in.
    pub fn draw<C: Count>(
        &self,
        random: &mut Random,
        counts: &mut Vec<C>,
        mut take: impl FnMut(&[C]),
    ) {
        let mut left: Vec<Left> = self.decks.iter().map(Deck::left).collect();
        if self.scheme == Scheme::Poisson {
            left.iter_mut()
                .for_each(|left| left.draws = poisson(random, left.rows));
        }
        for (i, start) in (0..self.slots).step_by(SEGMENT).enumerate() {
            counts.clear();
            counts.resize(SEGMENT.min(self.slots - start), C::default());
            for (deck, left) in self.decks.iter().zip(&mut left) {
                deck.segments[i].draw(random, left, counts);
            }
            take(counts);
        }
    }
}

/// The urns that share out one number of draws.
#[derive(Debug)]
struct Deck {
    segments: Vec<Segment>,
    rows: u64,
}

/// What has not been dealt yet: draws, and the rows that they are drawn from.
#[derive(Debug)]
struct Left {
    draws: u64,
    rows: u64,
}

impl Left {
    /// The share of so many of the rows.
    fn take(&mut self, random: &mut Random, rows: u64) -> u64 {
        let share = binomial(random, self.draws, rows, self.rows);
        self.draws -= share;
        self.rows -= rows;
        share
    }
}

impl Deck {
    fn new(urns: impl Iterator<Item = Urn>, slots: usize) -> Result<Self> {
        let mut segments: Vec<Segment> = Vec::new();
        segments.resize_with(slots.div_ceil(SEGMENT), Segment::default);
        let mut rows = 0u64;
        for urn in urns {
            rows = rows.checked_add(urn.rows).ok_or(Error::CountOverflow)?;
            segments[urn.slot / SEGMENT].add((urn.slot % SEGMENT) as u16, urn.rows);
        }
        Ok(Deck { segments, rows })
    }

    fn left(&self) -> Left {
        let (draws, rows) = (self.rows, self.rows);
        Left { draws, rows }
    }
}

/// The urns of [`SEGMENT`] slots.
#[derive(Debug, Default)]
struct Segment {
    /// Slots of the urns of many rows, and how many.
    heavy: Vec<(u16, u64)>,
    /// The slot of every row of the others.
    light: Vec<u16>,
}

impl Segment {
    fn add(&mut self, slot: u16, rows: u64) {
        if rows < HEAVY {
            self.light.extend(std::iter::repeat_n(slot, rows as usize));
        } else {
            self.heavy.push((slot, rows));
        }
    }

    fn draw<C: Count>(&self, random: &mut Random, left: &mut Left, counts: &mut [C]) {
        for &(slot, rows) in &self.heavy {
            counts[usize::from(slot)].increase(left.take(random, rows));
        }
        for part in self.light.chunks(PART) {
            let draws = left.take(random, part.len() as u64);
            draw_rows(random, draws, part, counts);
        }
    }
}

/// Draws rows of a part one by one, four from each 64 random bits.
fn draw_rows<C: Count>(random: &mut Random, draws: u64, part: &[u16], counts: &mut [C]) {
    let rows = part.len() as u64;
    // Lemire 2019, "Fast random integer generation in an interval": 2^16 numbers shared out evenly, the few left over
    // refused. None are where the rows are a power of two.
    let left_over = (1 << 16) % rows;
    let mut missing = draws;
    while missing > 0 {
        let mut bits = random.next();
        for _ in 0..missing.min(4) {
            let product = (bits & 0xffff) * rows;
            bits >>= 16;
            if product & 0xffff >= left_over {
                counts[usize::from(part[(product >> 16) as usize])].increment();
                missing -= 1;
            }
        }
    }
}

/// Deals `draws` to a few urns by binomials alone; calls `take` with the share of each, while draws are left.
pub(crate) fn share_out(
    random: &mut Random,
    mut draws: u64,
    urns: impl Iterator<Item = u64> + Clone,
    mut take: impl FnMut(usize, u64),
) {
    let mut rows: u64 = urns.clone().sum();
    for (i, urn) in urns.enumerate() {
        if draws == 0 {
            return;
        }
        let taken = binomial(random, draws, urn, rows);
        draws -= taken;
        rows -= urn;
        take(i, taken);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::random::Purpose;
    use crate::testing::Rng;

    fn deal_of(urns: &[u64]) -> Deal {
        let urn = |(slot, &rows)| Urn {
            slot,
            positive: true,
            rows,
        };
        Deal::new(
            urns.iter().enumerate().map(urn),
            urns.len(),
            Scheme::Multinomial,
        )
        .unwrap()
    }

    pub(crate) fn drawn<C: Count>(deal: &Deal, random: &mut Random) -> Vec<C> {
        let mut counts = Vec::new();
        deal.draw(random, &mut Vec::new(), |segment| {
            counts.extend_from_slice(segment)
        });
        counts
    }

    #[test]
    fn all_draws_are_dealt() {
        let mut rng = Rng::new(30);
        for round in 0..300 {
            let k = rng.below(60) as usize;
            let urns: Vec<u64> = (0..k).map(|_| rng.below(4) * rng.below(40)).collect();
            let deal = deal_of(&urns);
            let mut random = Random::new(1, round, Purpose::Deal);
            let narrow: Vec<u32> = drawn(&deal, &mut random.clone());
            let wide: Vec<u64> = drawn(&deal, &mut random);
            assert_eq!(wide.len(), k);
            assert_eq!(wide.iter().sum::<u64>(), deal.most_draws().unwrap());
            assert!(narrow.iter().zip(&wide).all(|(&a, &b)| u64::from(a) == b));
            assert!(urns.iter().zip(&wide).all(|(&urn, &n)| urn > 0 || n == 0));
        }
    }

    /// Chi-square of the joint distribution: which of all ways to deal came how often.
    #[test]
    fn small_deals_have_multinomial_probabilities() {
        for urns in [&[1, 1, 1][..], &[2, 0, 1, 1], &[1, 3]] {
            let deal = deal_of(urns);
            check_multinomial(urns, |random| drawn(&deal, random));
            check_multinomial(urns, |random| {
                let mut counts = vec![0; urns.len()];
                let rows = urns.iter().sum();
                share_out(random, rows, urns.iter().copied(), |i, n| counts[i] = n);
                counts
            });
        }
    }

    fn check_multinomial(urns: &[u64], draw: impl Fn(&mut Random) -> Vec<u64>) {
        const DRAWS: f64 = 100_000.0;
        let mut seen = std::collections::BTreeMap::<Vec<u64>, f64>::new();
        for replicate in 0..DRAWS as u64 {
            let counts = draw(&mut Random::new(5, replicate, Purpose::Deal));
            *seen.entry(counts).or_default() += 1.0;
        }
        let rows: u64 = urns.iter().sum();
        let factorial = |n: u64| (1..=n).product::<u64>() as f64;
        let (mut statistic, mut total) = (0.0, 0.0);
        for (counts, seen) in &seen {
            let chance =
                |(&urn, &n): (&u64, &u64)| (urn as f64 / rows as f64).powi(n as i32) / factorial(n);
            let p = factorial(rows) * urns.iter().zip(counts).map(chance).product::<f64>();
            statistic += (seen - p * DRAWS).powi(2) / (p * DRAWS);
            total += p;
        }
        let cells = seen.len() as f64 - 1.0;
        assert!((total - 1.0).abs() < 1e-12, "some deal never came");
        assert!(
            statistic < cells + 5.0 * (2.0 * cells).sqrt(),
            "{urns:?}: {statistic} on {cells}"
        );
    }

    #[test]
    fn classes_keep_their_sizes_if_stratified() {
        let urns = (0..3 * SEGMENT / 2).map(|slot| Urn {
            slot,
            positive: slot % 3 == 0,
            rows: 1,
        });
        let deal = Deal::new(urns, 3 * SEGMENT / 2, Scheme::Stratified).unwrap();
        let counts: Vec<u32> = drawn(&deal, &mut Random::new(1, 1, Purpose::Deal));
        assert_eq!(counts.iter().step_by(3).sum::<u32>(), SEGMENT as u32 / 2);
        assert_eq!(counts.iter().sum::<u32>(), 3 * SEGMENT as u32 / 2);
    }

    /// Means, variances and covariances of the counts, across parts and beside heavy urns.
    #[test]
    fn large_deals_have_multinomial_moments() {
        let mut urns = vec![1; 5000];
        (urns[7], urns[2500], urns[4999]) = (900, 47, 3000);
        let (deal, rows) = (deal_of(&urns), urns.iter().sum::<u64>() as f64);
        let groups = [0..7, 7..8, 8..2000, 2000..2501, 2501..4999, 4999..5000];
        let share =
            |group: &std::ops::Range<usize>| urns[group.clone()].iter().sum::<u64>() as f64 / rows;
        const DRAWS: u64 = 4000;
        let mut sums = [[0.0; 6]; 6];
        let mut means = [0.0; 6];
        for replicate in 0..DRAWS {
            let counts: Vec<u32> = drawn(&deal, &mut Random::new(6, replicate, Purpose::Deal));
            let off: Vec<f64> = groups
                .iter()
                .map(|g| f64::from(counts[g.clone()].iter().sum::<u32>()) - rows * share(g))
                .collect();
            for i in 0..6 {
                means[i] += off[i] / DRAWS as f64;
                (0..6).for_each(|j| sums[i][j] += off[i] * off[j] / DRAWS as f64);
            }
        }
        for (i, a) in groups.iter().enumerate() {
            let var = |p: f64| rows * p * (1.0 - p);
            assert!(means[i].abs() < 5.0 * (var(share(a)) / DRAWS as f64).sqrt());
            for (j, b) in groups.iter().enumerate() {
                let expected = rows * share(a) * (f64::from(u8::from(i == j)) - share(b));
                let scale = (var(share(a)) * var(share(b))).sqrt();
                let off = (sums[i][j] - expected) / scale;
                assert!(
                    off.abs() < 5.0 * (2.0 / DRAWS as f64).sqrt(),
                    "{i} {j} {off}"
                );
            }
        }
    }

    #[test]
    fn more_rows_than_can_be_counted() {
        let urns = [(true, u64::MAX), (false, 1)];
        let urns = urns.map(|(positive, rows)| Urn {
            slot: 0,
            positive,
            rows,
        });
        for scheme in [Scheme::Multinomial, Scheme::Stratified, Scheme::Poisson] {
            let deal = Deal::new(urns.into_iter(), 1, scheme);
            assert_eq!(deal.err(), Some(Error::CountOverflow));
        }
    }
}
