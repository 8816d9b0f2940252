//! Few distinct scores: one counter per score and class, in a table of the scores that the sample has seen.
//!
//! Scores that it has not seen go to a list, which is sorted and merged in the end, so the count is exact for all data.

use super::lane::Lane;
use super::parts::{Part, Parts};
use super::plan::Sample;
use crate::area::{areas_of, Areas};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::order::Score;
use crate::table;

/// Distinct values that a table is made for; more than these and it leaves the cache.
const MOST_VALUES: usize = 1 << 12;
/// Slots per value. A search that does not end where it begins costs more than the rest of a row's work together.
const SPARSE: usize = 16;
/// Ways to scatter the values that are tried, for the fewest such searches.
const ATTEMPTS: u64 = 4;

/// A row of counts: the order of a score, and how many negatives and positives have it.
type Row = (i64, [u64; 2]);

/// Both areas, or `None` if more than one row in `tolerance` had a score that the sample has not seen.
pub(crate) fn areas<S: Score>(
    scores: &[S],
    positive: &[u8],
    sample: &Sample<S::Lane>,
    tolerance: usize,
    call: &Call,
) -> Result<Option<Areas>> {
    let rows = rows(scores, positive, sample, tolerance, call)?;
    rows.map(|rows| areas_of(rows.iter().rev().map(|row| row.1), call))
        .transpose()
}

/// The table, or `None` as for [`areas`].
pub(crate) fn table<S: Score>(
    scores: &[S],
    positive: &[u8],
    sample: &Sample<S::Lane>,
    tolerance: usize,
    descending: bool,
    call: &Call,
) -> Result<Option<table::Table<S>>> {
    let Some(mut rows) = rows(scores, positive, sample, tolerance, call)? else {
        return Ok(None);
    };
    if descending {
        rows.reverse();
    }
    let mut table = table::Table::with_capacity(rows.len());
    for (order, [neg, pos]) in rows {
        table.push(S::of_lane(S::Lane::of_order(order)), pos, neg);
    }
    Ok(Some(table))
}

/// The counts of each distinct score, rising, or `None` as for [`areas`].
fn rows<S: Score>(
    scores: &[S],
    positive: &[u8],
    sample: &Sample<S::Lane>,
    tolerance: usize,
    call: &Call,
) -> Result<Option<Vec<Row>>> {
    let table = Table::of(sample.distinct(MOST_VALUES));
    let count = |part: Part<'_, S>| table.clone().count(part, tolerance, call);
    let parts = Parts::new(Part::new(scores, positive), call).map(call, count)?;
    let Some(mut rows) = parts
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .map(|rows| rows.concat())
    else {
        return Ok(None);
    };
    rows.sort_unstable_by_key(|&(order, _)| order);
    rows.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = [kept.1[0] + next.1[0], kept.1[1] + next.1[1]];
        }
        same
    });
    Ok(Some(rows))
}

/// A finer sample, if the scores seem to be few: it has rarely seen one only once.
pub(crate) fn suits<S: Score>(
    scores: &[S],
    sample: &Sample<S::Lane>,
) -> Result<Option<Sample<S::Lane>>> {
    if !sample.has_ties() {
        return Ok(None);
    }
    let finer = Sample::finer(scores)?;
    Ok(finer.repeats_itself(MOST_VALUES).then_some(finer))
}

/// A place for one value. A free one holds a value as well, one that the sample has not seen; should it turn up, it is
/// counted like any other.
#[derive(Clone, Copy)]
struct Slot {
    order: i64,
    rows: [u32; 2],
}

#[derive(Clone)]
struct Table {
    /// A power of two.
    slots: Vec<Slot>,
    free: i64,
    multiplier: u64,
}

impl Table {
    /// `seen` is rising.
    fn of(seen: Vec<i64>) -> Self {
        let attempts = (0..ATTEMPTS).map(|attempt| Self::scattered(&seen, attempt));
        let best = attempts.min_by_key(|&(_, displaced)| displaced);
        best.map_or_else(|| Self::scattered(&seen, 0).0, |(table, _)| table)
    }

    /// The table by one way to scatter, and how many values are not where their search begins.
    fn scattered(seen: &[i64], attempt: u64) -> (Self, usize) {
        let free = unseen(seen);
        let size = (seen.len() * SPARSE).next_power_of_two();
        let slots = vec![
            Slot {
                order: free,
                rows: [0, 0]
            };
            size
        ];
        // Fibonacci hashing, by odd multiples of the golden ratio.
        let multiplier = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(2 * attempt + 1);
        let (mut table, mut displaced) = (
            Table {
                slots,
                free,
                multiplier,
            },
            0,
        );
        for &order in seen {
            let start = table.start(order);
            let mut place = start;
            while table.slots[place].order != free {
                place = (place + 1) & (size - 1);
            }
            table.slots[place].order = order;
            displaced += usize::from(place != start);
        }
        (table, displaced)
    }

    /// Where the search for a value begins: high bits, in which all others have a say.
    #[inline(always)]
    fn start(&self, order: i64) -> usize {
        let mixed = (order as u64).wrapping_mul(self.multiplier);
        (mixed >> 40) as usize & (self.slots.len() - 1)
    }

    /// Counts a row, unless its value has no slot.
    #[inline(always)]
    fn add(&mut self, order: i64, positive: bool) -> bool {
        let mut place = self.start(order);
        while self.slots[place].order != order {
            if self.slots[place].order == self.free {
                return false;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place].rows[usize::from(positive)] += 1; // a part has fewer than 2^32 rows
        true
    }

    fn count<S: Score>(
        mut self,
        part: Part<'_, S>,
        tolerance: usize,
        call: &Call,
    ) -> Result<Option<Vec<Row>>> {
        let (mut others, mut done) = (Vec::new(), 0);
        for Part {
            scores, positive, ..
        } in part.strides()
        {
            call.check()?;
            let mut nan = false;
            for (score, &positive) in scores.iter().zip(positive) {
                let lane = score.lane();
                nan |= lane.is_nan();
                let order = lane.order();
                if !self.add(order, positive != 0) {
                    others.push((order, [u64::from(positive == 0), u64::from(positive != 0)]));
                }
            }
            if nan {
                return Err(Error::Nan);
            }
            done += scores.len();
            if others.len() > done / tolerance {
                return Ok(None);
            }
        }
        let counted = self.slots.iter().filter(|slot| slot.rows != [0, 0]);
        others.extend(counted.map(|slot| (slot.order, slot.rows.map(u64::from))));
        Ok(Some(others))
    }
}

/// A value that is not among rising ones.
fn unseen(rising: &[i64]) -> i64 {
    let candidates = (0..).map(|i| i64::MIN + i);
    let mut free = candidates.zip(rising.iter().map(Some).chain(std::iter::repeat(None)));
    free.find(|&(candidate, seen)| seen != Some(&candidate))
        .map_or(i64::MIN, |(free, _)| free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_value_is_not_seen() {
        assert_eq!(unseen(&[]), i64::MIN);
        assert_eq!(unseen(&[i64::MIN, i64::MIN + 1, 5]), i64::MIN + 2);
        assert_eq!(unseen(&[3]), i64::MIN);
    }
}
