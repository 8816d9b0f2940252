//! The bootstrap of a table: rows drawn with replacement, without any row.
//!
//! Draws are multinomial, exactly, or Poisson by name (see [`Scheme`]). For both areas, neighbouring scores without a positive may
//! share their draws: no area can tell them apart. So the table is *collapsed* first, and what is drawn is the
//! collapsed table; [`resample_counts`] draws the same and then deals it on, for measures that can tell.

use crate::call::Call;
use crate::deal::{share_out, Deal, Urn};
use crate::error::{same_length, Error, Result};
use crate::parallel::map;
use crate::random::{Purpose, Random};
use crate::scan::{Pair, Scan, Scanned};
pub use crate::scheme::Scheme;

/// A thread takes replicates of about so many counts at a time: much work beside the taking, little beside a second.
const BATCH: usize = 1 << 16;

/// Areas of each replicate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replicates {
    /// ROC areas, NaN where a class was not drawn.
    pub auc: Vec<f64>,
    /// Average precisions, NaN where no positive was drawn.
    pub ap: Vec<f64>,
    /// In how many replicates a class was not drawn.
    pub degenerate: usize,
}

impl Replicates {
    pub(crate) fn new(pairs: Vec<Pair>) -> Self {
        Replicates {
            auc: pairs.iter().map(|pair| pair.auc).collect(),
            ap: pairs.iter().map(|pair| pair.ap).collect(),
            degenerate: pairs.iter().filter(|pair| pair.auc.is_nan()).count(),
        }
    }
}

/// Which replicates to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Chooses the random numbers. Replicate `r` is a function of the data, `seed`, `r` and `scheme`.
    pub seed: u64,
    /// How many: the replicates `0..n_resamples`.
    pub n_resamples: usize,
    /// How many rows each replicate has.
    pub scheme: Scheme,
}

/// Both areas of bootstrap replicates of a table whose rows run strict to lenient.
pub fn resample(pos: &[u64], neg: &[u64], plan: Plan, call: &Call) -> Result<Replicates> {
    let table = Collapsed::new(pos, neg)?;
    let deal = table.deal(plan.scheme)?;
    let pairs = match u32::try_from(deal.most_draws()?) {
        Ok(_) => areas::<u32>(&deal, plan, call)?,
        Err(_) => areas::<u64>(&deal, plan, call)?,
    };
    Ok(Replicates::new(pairs))
}

fn areas<C: Scanned>(deal: &Deal, plan: Plan, call: &Call) -> Result<Vec<Pair>> {
    let worker = || {
        let mut room = Vec::new();
        move |replicate, out: &mut [Pair]| {
            let mut scan = Scan::<C>::default();
            let mut random = Random::new(plan.seed, replicate, Purpose::Deal);
            deal.draw(&mut random, &mut room, |counts| scan.add(counts));
            out.fill(scan.areas());
        }
    };
    let batch = BATCH / (deal.slots() + 1);
    replicates(plan.n_resamples, batch, 1, call, worker)
}

/// Fills `width` pairs for each of `n` replicates. Each thread has a worker of its own, and takes some at a time.
pub(crate) fn replicates<W: FnMut(u64, &mut [Pair]) + Send>(
    n: usize,
    batch: usize,
    width: usize,
    call: &Call,
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<Pair>> {
    let (batch, width) = (batch.max(1), width.max(1));
    let (mut out, size) = (Vec::new(), n.saturating_mul(width));
    out.try_reserve_exact(size).map_err(|_| Error::TooMany)?;
    out.resize(size, Pair::default());
    let batches = out.chunks_mut(batch.saturating_mul(width)).enumerate();
    let work = |work: &mut W, (i, pairs): (usize, &mut [Pair])| {
        for (j, pairs) in pairs.chunks_mut(width).enumerate() {
            work((i * batch + j) as u64, pairs);
        }
        Ok(())
    };
    map(call, call.threads, batches, worker, work)?;
    Ok(out)
}

/// One replicate of a table, as counts per row: the very draws that [`resample`] takes its areas from.
pub fn resample_counts(
    pos: &[u64],
    neg: &[u64],
    seed: u64,
    replicate: u64,
    scheme: Scheme,
) -> Result<(Vec<u64>, Vec<u64>)> {
    let table = Collapsed::new(pos, neg)?;
    let deal = table.deal(scheme)?;
    let mut counts: Vec<u64> = Vec::with_capacity(deal.slots());
    let mut random = Random::new(seed, replicate, Purpose::Deal);
    deal.draw(&mut random, &mut Vec::new(), |segment| {
        counts.extend_from_slice(segment)
    });
    let mut random = Random::new(seed, replicate, Purpose::Refine);
    let (mut new_pos, mut new_neg) = (vec![0; pos.len()], vec![0; neg.len()]);
    for (rows, counts) in table.members().zip(counts.chunks_exact(2)) {
        new_pos[rows.start] = counts[0];
        let urns = neg[rows.clone()].iter().copied();
        share_out(&mut random, counts[1], urns, |i, n| {
            new_neg[rows.start + i] = n
        });
    }
    Ok((new_pos, new_neg))
}

/// A table with runs of rows without positives put together.
struct Collapsed<'a> {
    pos: &'a [u64],
    /// Where each row of the collapsed table starts in the table.
    starts: Vec<usize>,
    /// The negatives of each row of the collapsed table.
    neg: Vec<u64>,
}

impl<'a> Collapsed<'a> {
    fn new(pos: &'a [u64], neg: &'a [u64]) -> Result<Self> {
        same_length(&[pos.len(), neg.len()])?;
        let (mut starts, mut collapsed) = (Vec::new(), Vec::<u64>::new());
        let mut after_pos = true;
        for (i, (&p, &n)) in pos.iter().zip(neg).enumerate() {
            match collapsed.last_mut() {
                Some(last) if p == 0 && !after_pos => {
                    *last = last.checked_add(n).ok_or(Error::CountOverflow)?;
                }
                _ => {
                    starts.push(i);
                    collapsed.push(n);
                }
            }
            after_pos = p > 0;
        }
        Ok(Collapsed {
            pos,
            starts,
            neg: collapsed,
        })
    }

    /// The rows of the table that each row of the collapsed one stands for.
    fn members(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([self.pos.len()]);
        self.starts.iter().zip(ends).map(|(&start, end)| start..end)
    }

    /// Two urns a row: even slots count positives, odd ones negatives.
    fn deal(&self, scheme: Scheme) -> Result<Deal> {
        let rows = self.starts.iter().zip(&self.neg).enumerate();
        let urns = rows.flat_map(|(row, (&start, &neg))| {
            // Only rows without positives are put together, so all the positives are the first's.
            [(0, self.pos[start]), (1, neg)].map(|(class, rows)| Urn {
                slot: 2 * row + class,
                positive: class == 0,
                rows,
            })
        });
        Deal::new(urns, 2 * self.starts.len(), scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{average_precision, roc_sums};
    use crate::testing::{on, Rng};

    const SCHEMES: [Scheme; 3] = [Scheme::Multinomial, Scheme::Stratified, Scheme::Poisson];

    fn plan(seed: u64, n_resamples: usize, scheme: Scheme) -> Plan {
        Plan {
            seed,
            n_resamples,
            scheme,
        }
    }

    fn draw(table: &(Vec<u64>, Vec<u64>), plan: Plan, threads: usize) -> Replicates {
        resample(&table.0, &table.1, plan, &on(threads)).unwrap()
    }

    fn some_table(rng: &mut Rng, k: usize, most: u64) -> (Vec<u64>, Vec<u64>) {
        let count = |rng: &mut Rng| rng.below(2) * rng.below(most);
        (0..k).map(|_| (count(rng), count(rng))).unzip()
    }

    fn bits(x: &[f64]) -> Vec<u64> {
        x.iter().map(|x| x.to_bits()).collect()
    }

    fn same(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance || a.is_nan() && b.is_nan()
    }

    #[test]
    fn areas_are_those_of_the_counts() {
        let mut rng = Rng::new(32);
        for round in 0..300 {
            let k = rng.below(if round % 50 == 0 { 100_000 } else { 80 }) as usize;
            let most = [2, 5, 300][round as usize / 3 % 3];
            let table = some_table(&mut rng, k, most);
            let plan = plan(round, 3, SCHEMES[round as usize % 3]);
            let found = draw(&table, plan, 1);
            for r in 0..3 {
                let (pos, neg) =
                    resample_counts(&table.0, &table.1, plan.seed, r, plan.scheme).unwrap();
                check_totals(&table, &(pos.clone(), neg.clone()), plan.scheme);
                let sums = roc_sums(&pos, &neg).unwrap().unwrap();
                let pairs = 2.0 * sums.n_pos as f64 * sums.n_neg as f64;
                assert!(same(found.auc[r as usize], sums.u2 as f64 / pairs, 0.0));
                let ap = average_precision(&pos, &neg).unwrap().unwrap_or(f64::NAN);
                assert!(same(found.ap[r as usize], ap, 1e-14));
            }
        }
    }

    fn check_totals(table: &(Vec<u64>, Vec<u64>), drawn: &(Vec<u64>, Vec<u64>), scheme: Scheme) {
        let sizes = |t: &(Vec<u64>, Vec<u64>)| (t.0.iter().sum::<u64>(), t.1.iter().sum::<u64>());
        let (before, after) = (sizes(table), sizes(drawn));
        let same_total = before.0 + before.1 == after.0 + after.1;
        assert!(same_total || scheme == Scheme::Poisson);
        assert!(before == after || scheme != Scheme::Stratified);
        let old = table.0.iter().chain(&table.1);
        let new = drawn.0.iter().chain(&drawn.1);
        assert!(old.zip(new).all(|(&old, &new)| old > 0 || new == 0));
    }

    #[test]
    fn threads_and_other_replicates_leave_no_trace() {
        let table = some_table(&mut Rng::new(33), 900, 4);
        for scheme in SCHEMES {
            let expected = draw(&table, plan(1, 501, scheme), 1);
            for threads in [0, 2, 3] {
                let found = draw(&table, plan(1, 501, scheme), threads);
                assert_eq!(bits(&found.auc), bits(&expected.auc));
                assert_eq!(bits(&found.ap), bits(&expected.ap));
            }
            let few = draw(&table, plan(1, 7, scheme), 2);
            assert_eq!(bits(&few.ap), bits(&expected.ap[..7]));
            let other = draw(&table, plan(2, 7, scheme), 1);
            assert_ne!(bits(&other.ap), bits(&few.ap));
        }
    }

    /// The collapsed rows are dealt on in the right proportions.
    #[test]
    fn every_row_is_drawn_as_often_as_it_should() {
        let (pos, neg) = ([0, 0, 2, 0, 0, 0, 1], [3, 1, 0, 100, 7, 0, 2]);
        let rows: u64 = pos.iter().chain(&neg).sum();
        const DRAWS: u64 = 20_000;
        let mut sums = [0.0; 14];
        for replicate in 0..DRAWS {
            let (p, n) = resample_counts(&pos, &neg, 9, replicate, Scheme::Multinomial).unwrap();
            let drawn = p.iter().chain(&n).zip(&mut sums);
            drawn.for_each(|(&n, sum)| *sum += n as f64 / DRAWS as f64);
        }
        for (&expected, mean) in pos.iter().chain(&neg).zip(sums) {
            let variance = expected as f64 * (1.0 - expected as f64 / rows as f64);
            let error = 5.0 * (variance / DRAWS as f64).sqrt();
            assert!((mean - expected as f64).abs() <= error, "{expected} {mean}");
        }
    }

    /// Stratified, the bootstrap's mean is the area (up to nothing, U is unbiased) and its variance has a closed form:
    /// with a, b the placements, `a2`, `b2` their squares and `c` the pairs' own variance (Bamber 1975).
    #[test]
    fn moments_are_those_of_u() {
        let table = some_table(&mut Rng::new(36), 40, 6);
        let sums = roc_sums(&table.0, &table.1).unwrap().unwrap();
        let (m, n) = (sums.n_pos as f64, sums.n_neg as f64);
        let auc = sums.u2 as f64 / (2.0 * m * n);
        let of_pos = sums.a2 as f64 / (4.0 * n * n * m) - auc * auc;
        let of_neg = sums.b2 as f64 / (4.0 * m * m * n) - auc * auc;
        let tied: u64 = table.0.iter().zip(&table.1).map(|(p, n)| p * n).sum();
        let of_pair = auc - tied as f64 / (4.0 * m * n) - auc * auc;
        let variance = ((n - 1.0) * of_pos + (m - 1.0) * of_neg + of_pair) / (m * n);

        const DRAWS: usize = 40_000;
        let found = draw(&table, plan(4, DRAWS, Scheme::Stratified), 2).auc;
        let mean = found.iter().sum::<f64>() / DRAWS as f64;
        let spread = found.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        assert!((mean - auc).abs() < 5.0 * (variance / DRAWS as f64).sqrt());
        let error = 5.0 * (2.0 / DRAWS as f64).sqrt();
        assert!(
            (spread / variance - 1.0).abs() < error,
            "{spread} {variance}"
        );
    }

    #[test]
    fn an_empty_class_is_counted() {
        let table = (vec![1, 0], vec![0, 1]);
        let found = draw(&table, plan(7, 4000, Scheme::Multinomial), 1);
        let nans = found.auc.iter().filter(|a| a.is_nan()).count();
        assert_eq!(found.degenerate, nans);
        assert!(
            nans.abs_diff(2000) < 200,
            "half of the pairs are of one class"
        );
        let no_pos = found.ap.iter().filter(|a| a.is_nan()).count();
        assert!(no_pos.abs_diff(1000) < 150);
        assert_eq!(
            draw(&table, plan(7, 100, Scheme::Stratified), 1).degenerate,
            0
        );
        for nothing in [(vec![], vec![]), (vec![0, 0], vec![0, 0])] {
            assert_eq!(
                draw(&nothing, plan(1, 3, Scheme::Multinomial), 1).degenerate,
                3
            );
            assert_eq!(
                draw(&nothing, plan(1, 3, Scheme::Stratified), 1).degenerate,
                3
            );
        }
    }

    #[test]
    fn more_rows_than_32_bits_count() {
        let e = 1u64 << 40;
        let table = (vec![e, 0, e, 1], vec![0, e, e, e]);
        let found = draw(&table, plan(1, 50, Scheme::Multinomial), 2);
        let sums = roc_sums(&table.0, &table.1).unwrap().unwrap();
        let auc = sums.u2 as f64 / 2.0 / sums.n_pos as f64 / sums.n_neg as f64;
        assert!(found.auc.iter().all(|a| (a - auc).abs() < 1e-5));
        let (pos, neg) = resample_counts(&table.0, &table.1, 1, 0, Scheme::Stratified).unwrap();
        check_totals(&table, &(pos, neg), Scheme::Stratified);
    }

    #[test]
    fn bad_columns_and_a_stop() {
        assert_eq!(
            resample(&[1], &[], plan(1, 1, Scheme::Stratified), &on(1)),
            Err(Error::Length)
        );
        let (big, one) = ([u64::MAX, 0], [0, 1]);
        let full = resample(&big, &one, plan(1, 1, Scheme::Stratified), &on(1));
        assert_eq!(full, Err(Error::CountOverflow));
        assert_eq!(
            resample_counts(&big, &one, 1, 1, Scheme::Multinomial),
            Err(Error::CountOverflow)
        );
        let merged = resample(
            &[0, 0],
            &[u64::MAX, 1],
            plan(1, 1, Scheme::Stratified),
            &on(1),
        );
        assert_eq!(merged, Err(Error::CountOverflow));
        let table = some_table(&mut Rng::new(36), 100_000, 3);
        let endless = resample(
            &table.0,
            &table.1,
            plan(1, usize::MAX, Scheme::Stratified),
            &on(1),
        );
        assert_eq!(endless, Err(Error::TooMany));
        let stopped = resample(
            &table.0,
            &table.1,
            plan(1, 1 << 20, Scheme::Stratified),
            &Call::new(2, &|| true),
        );
        assert_eq!(stopped, Err(Error::Interrupted));
    }

    /// An area is a ratio, in which a random total cancels to first order.
    #[test]
    fn poisson_areas_spread_as_multinomial_ones_do() {
        let table = some_table(&mut Rng::new(37), 400, 4);
        let spread = |scheme| {
            let found = draw(&table, plan(5, 8000, scheme), 2);
            [found.auc, found.ap].map(|areas| {
                let mean = areas.iter().sum::<f64>() / 8000.0;
                let square = areas.iter().map(|a| (a - mean).powi(2)).sum::<f64>();
                (mean, (square / 8000.0).sqrt())
            })
        };
        let (one, other) = (spread(Scheme::Multinomial), spread(Scheme::Poisson));
        for ((mean, sd), (mean_p, sd_p)) in one.into_iter().zip(other) {
            assert!((mean - mean_p).abs() < 0.1 * sd, "{mean} {mean_p}");
            assert!((sd / sd_p - 1.0).abs() < 0.05, "{sd} {sd_p}");
        }
    }
}
