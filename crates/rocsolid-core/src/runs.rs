//! Two sorted runs, the positives and the negatives, and the rows of distinct scores they merge into.
//!
//! The label chooses the run, so labels are neither sorted nor looked up again. Merging the runs visits the distinct
//! scores from strict to lenient; who walks them decides what comes of it: a table, or just two areas.

use crate::call::Call;
use crate::error::Result;
use crate::order::Key;
use crate::parallel::map;

/// Below this many items, waking a thread costs more than it saves.
const WORTH_A_THREAD: usize = 250_000;

/// Items that are sorted without a look at whether the call is still wanted: some tenths of a second.
const MOST_SORTED: usize = 1 << 23;

/// What a run holds of a row: its key, perhaps with a weight.
pub(crate) trait Item: Copy + Send + Default {
    /// The key that sorts it.
    type Key: Key;

    /// The key of this item.
    fn key(&self) -> Self::Key;
}

/// An item without a weight is its key.
impl<K: Key> Item for K {
    type Key = K;

    #[inline]
    fn key(&self) -> K {
        *self
    }
}

/// A key with the weight of its row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Weighted<K> {
    pub key: K,
    pub weight: f64,
}

impl<K: Key> Item for Weighted<K> {
    type Key = K;

    #[inline]
    fn key(&self) -> K {
        self.key
    }
}

/// The items of both classes, each sorted strict to lenient, in one buffer.
pub(crate) struct Runs<T> {
    /// Positives, then a gap where rows were left out, then negatives.
    items: Vec<T>,
    end_of_pos: usize,
    start_of_neg: usize,
}

impl<T: Item> Runs<T> {
    /// Takes at most `most` rows, each an item and whether it is positive.
    pub fn sorted(
        most: usize,
        rows: impl Iterator<Item = Result<(T, bool)>>,
        call: &Call,
    ) -> Result<Self> {
        let mut runs = Self::partition(most, rows, call)?;
        let (pos, neg) = runs.items.split_at_mut(runs.start_of_neg);
        sort(&mut pos[..runs.end_of_pos], call)?;
        sort(neg, call)?;
        Ok(runs)
    }

    /// Positives fill the buffer from its front, negatives from its back.
    fn partition(
        most: usize,
        rows: impl Iterator<Item = Result<(T, bool)>>,
        call: &Call,
    ) -> Result<Self> {
        let mut items = vec![T::default(); most];
        let (mut front, mut back) = (0, most);
        call.for_each(rows.take(most), |row| {
            let (item, positive) = row?;
            // Write to both free places and move on from one: no branch on the label, which nobody could predict.
            items[front] = item;
            items[back - 1] = item;
            front += usize::from(positive);
            back -= usize::from(!positive);
            Ok(())
        })?;
        Ok(Runs {
            items,
            end_of_pos: front,
            start_of_neg: back,
        })
    }

    /// The rows of distinct keys, strict to lenient.
    pub fn rows(&self) -> Rows<'_, T> {
        Rows {
            pos: &self.items[..self.end_of_pos],
            neg: &self.items[self.start_of_neg..],
        }
    }
}

/// One distinct key and the items of each class that share it.
pub(crate) struct Row<'a, T: Item> {
    pub key: T::Key,
    pub pos: &'a [T],
    pub neg: &'a [T],
}

/// What is left of both runs.
#[derive(Clone)]
pub(crate) struct Rows<'a, T> {
    pos: &'a [T],
    neg: &'a [T],
}

impl<'a, T: Item> Iterator for Rows<'a, T> {
    type Item = Row<'a, T>;

    #[inline]
    fn next(&mut self) -> Option<Row<'a, T>> {
        let key = match (self.pos.first(), self.neg.first()) {
            (Some(p), Some(n)) => p.key().min(n.key()),
            (Some(only), None) | (None, Some(only)) => only.key(),
            (None, None) => return None,
        };
        Some(Row {
            key,
            pos: take_equal(&mut self.pos, key),
            neg: take_equal(&mut self.neg, key),
        })
    }
}

/// Cuts off the items at the head of a run that have this key.
#[inline]
fn take_equal<'a, T: Item>(run: &mut &'a [T], key: T::Key) -> &'a [T] {
    let equal = run.iter().take_while(|item| item.key() == key).count();
    let (head, tail) = run.split_at(equal);
    *run = tail;
    head
}

/// Sorts by key.
///
/// Halves the items around their median, and the halves again, until there are enough pieces for all threads; then
/// sorts the pieces side by side. That keeps the standard library's sort, which on one thread is as fast as rayon's
/// on two, and needs no memory.
fn sort<T: Item>(items: &mut [T], call: &Call) -> Result<()> {
    let sort = |(): &mut (), items: &mut [T]| {
        items.sort_unstable_by_key(Item::key);
        Ok(())
    };
    if items.len() < WORTH_A_THREAD {
        return sort(&mut (), items);
    }
    let threads = call.threads.clamp(1, 2 * items.len() / WORTH_A_THREAD);
    let most = items.len().div_ceil(threads).min(MOST_SORTED);
    let mut pieces = vec![items];
    // All are of one length, give or take one.
    while pieces[0].len() > most {
        let halves = map(call, threads, pieces, || (), |(), items| Ok(halve(items)))?;
        pieces = halves.into_iter().flatten().collect();
    }
    map(call, threads, pieces, || (), sort)?;
    Ok(())
}

/// The items below the median, and those above it: it itself is in its place.
fn halve<T: Item>(items: &mut [T]) -> [&mut [T]; 2] {
    let (low, _, high) = items.select_nth_unstable_by_key(items.len() / 2, Item::key);
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::{on, Rng};

    fn collect(runs: &Runs<u64>) -> Vec<(u64, usize, usize)> {
        runs.rows()
            .map(|row| (row.key, row.pos.len(), row.neg.len()))
            .collect()
    }

    #[test]
    fn rows_are_distinct_and_in_order() {
        let rows = [(3, true), (1, false), (3, false), (2, true), (3, true)];
        let runs = Runs::sorted(5, rows.into_iter().map(Ok), &on(1)).unwrap();
        assert_eq!(collect(&runs), [(1, 0, 1), (2, 1, 0), (3, 2, 1)]);
    }

    #[test]
    fn a_gap_and_nothing_at_all() {
        let runs = Runs::sorted(9, [Ok((7, true)), Ok((0, false))].into_iter(), &on(1)).unwrap();
        assert_eq!(collect(&runs), [(0, 0, 1), (7, 1, 0)]);
        let none = Runs::<u64>::sorted(0, std::iter::empty(), &on(1)).unwrap();
        assert_eq!(collect(&none), []);
    }

    #[test]
    fn an_error_stops_the_partition() {
        let rows = [Ok((1u64, true)), Err(Error::Nan)];
        assert_eq!(
            Runs::sorted(2, rows.into_iter(), &on(1)).err(),
            Some(Error::Nan)
        );
    }

    #[test]
    fn any_number_of_threads_sorts_alike() {
        let mut rng = Rng::new(5);
        for distinct in [3, 1 << 40] {
            let items: Vec<u64> = (0..2 * WORTH_A_THREAD + 1)
                .map(|_| rng.below(distinct))
                .collect();
            let mut expected = items.clone();
            expected.sort();
            for threads in [0, 1, 2, 3, 7] {
                let mut sorted = items.clone();
                sort(&mut sorted, &on(threads)).unwrap();
                assert_eq!(sorted, expected);
            }
        }
    }
}
