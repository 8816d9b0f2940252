//! Rows that are in order already, upwards or downwards: one walk.

use crate::area::{areas_of, Areas};
use crate::call::{Call, STRIDE};
use crate::error::Result;
use crate::order::Score;

/// Both areas, or `None` if the rows are not in order.
pub(crate) fn areas<S: Score>(scores: &[S], positive: &[u8], call: &Call) -> Result<Option<Areas>> {
    let (Some(first), Some(last)) = (scores.first(), scores.last()) else {
        return Ok(None);
    };
    let rising = first.lane() < last.lane();
    if !in_order(scores, rising, call)? {
        return Ok(None);
    }
    let mut start = 0;
    let runs = scores.chunk_by(|a, b| a.lane() == b.lane()).map(|run| {
        start += run.len();
        class_sizes(&positive[start - run.len()..start])
    });
    if !rising {
        return areas_of(runs, call).map(Some);
    }
    let mut end = scores.len();
    let runs = scores
        .chunk_by(|a, b| a.lane() == b.lane())
        .rev()
        .map(|run| {
            end -= run.len();
            class_sizes(&positive[end..end + run.len()])
        });
    areas_of(runs, call).map(Some)
}

/// A NaN is never in order.
fn in_order<S: Score>(scores: &[S], rising: bool, call: &Call) -> Result<bool> {
    for start in (0..scores.len()).step_by(STRIDE) {
        call.check()?;
        let strip = &scores[start..scores.len().min(start + STRIDE + 1)];
        let ordered = |low: &S, high: &S| low.lane() <= high.lane();
        let pairs = strip.iter().zip(&strip[1..]);
        let broken = pairs.fold(false, |broken, (a, b)| {
            broken | !if rising { ordered(a, b) } else { ordered(b, a) }
        });
        if broken || strip[0].is_nan() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Negatives and positives.
fn class_sizes(positive: &[u8]) -> [u64; 2] {
    let pos = positive.iter().filter(|&&label| label != 0).count() as u64;
    [positive.len() as u64 - pos, pos]
}
