//! A bucket that one score fills: its rows are counted, and only the others are copied.
//!
//! Where half of all rows share a score, their bucket holds half of all rows. Nothing spreads these any further, and a
//! copy of them would take as much memory as a large part of the data.

use std::iter::once;

use super::bucket::{self, Workspace};
use super::compare::Compare;
use super::distribute::place;
use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::leaf::{Outside, Sums};
use super::scratch::Scratch;
use crate::error::Result;

/// What [`bucket::count`] finds, or `None` if no score has most of the rows.
pub(crate) fn count<'a, L: Compare>(
    [neg, pos]: [impl Iterator<Item = &'a [L]> + Clone; 2],
    outside: Outside,
    workspace: &mut Workspace,
) -> Result<Option<Sums>> {
    let Some(heavy) = candidate(neg.clone().chain(pos.clone())) else {
        return Ok(None);
    };
    let [neg_sizes, pos_sizes] = [
        dispatch(Sizes(neg.clone(), heavy)),
        dispatch(Sizes(pos.clone(), heavy)),
    ];
    // Rows below, at and above the score: negatives and positives of each.
    let parts: [[usize; 2]; 3] = std::array::from_fn(|part| [neg_sizes[part], pos_sizes[part]]);
    let [below, at, above] = parts.map(|[neg, pos]| neg + pos);
    if at < below + above {
        return Ok(None);
    }
    let (inside, _) = place(&parts);
    let mut sums = Sums::default();
    sums.add_one_tie(parts[1][1] as u64, parts[1][0] as u64, inside[1] + outside);
    // One place to spare: each row is written, and overwritten by the next if it is not wanted.
    let mut scratch = Scratch::of::<L>(below.max(above) + 1)?;
    for part in [0, 2] {
        let ([n_neg, n_pos], is_above) = (parts[part], part == 2);
        let room = &mut scratch.lanes()[..n_neg + n_pos + 1];
        keep(neg.clone(), heavy, is_above, &mut room[..=n_neg]);
        keep(pos.clone(), heavy, is_above, &mut room[n_neg..]);
        let (neg_room, pos_room) = room[..n_neg + n_pos].split_at(n_neg);
        let (rows, outside) = ([once(neg_room), once(pos_room)], inside[part] + outside);
        sums += bucket::count_again(rows, [n_neg, n_pos], outside, workspace, 0)?;
    }
    Ok(Some(sums))
}

/// The only score that can have most rows, judged by the first of each piece (the vote of Boyer and Moore).
fn candidate<'a, L: Lane>(pieces: impl Iterator<Item = &'a [L]>) -> Option<L> {
    let firsts = pieces.filter_map(|piece| piece.first().copied());
    let (candidate, _) = firsts.fold((None, 0usize), |(candidate, lead), lane| {
        if candidate == Some(lane) {
            (candidate, lead + 1)
        } else if lead == 0 {
            (Some(lane), 1)
        } else {
            (candidate, lead - 1)
        }
    });
    candidate
}

/// How many rows lie below, at and above a score.
struct Sizes<P, L>(P, L);

impl<'a, L: Lane, P: Iterator<Item = &'a [L]>> Job for Sizes<P, L> {
    type Output = [usize; 3];

    #[inline(always)]
    fn run<I: Isa>(self) -> [usize; 3] {
        let Sizes(pieces, score) = self;
        let [mut below, mut at, mut above] = [0; 3];
        for piece in pieces {
            let lower: usize = piece.iter().map(|&lane| usize::from(lane < score)).sum();
            let higher: usize = piece.iter().map(|&lane| usize::from(lane > score)).sum();
            below += lower;
            above += higher;
            at += piece.len() - lower - higher;
        }
        [below, at, above]
    }
}

/// Copies the rows above a score, or those below it; the room ends with a place to spare.
fn keep<'a, L: Lane>(pieces: impl Iterator<Item = &'a [L]>, score: L, above: bool, room: &mut [L]) {
    if room.len() == 1 {
        return;
    }
    let mut end = 0;
    for piece in pieces {
        for &lane in piece {
            room[end] = lane;
            // No branch, which nobody could predict.
            end += usize::from(if above { lane > score } else { lane < score });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_majority_is_heavy() {
        let parts = |lanes: &'static [i64]| lanes.chunks(1);
        assert_eq!(candidate(parts(&[1, 2, 2, 3, 2])), Some(2));
        assert_eq!(candidate(parts(&[])), None);
        let count = |neg, pos| {
            let rows = [parts(neg), parts(pos)];
            count(rows, Outside::default(), &mut Workspace::default()).unwrap()
        };
        assert!(count(&[1, 2], &[3, 4, 5]).is_none());
        // Positives 2, 2, 9 against negatives 1, 2, 2: twice U is 4 + 4 + 6.
        let sums = count(&[1, 2, 2], &[2, 2, 9]).unwrap();
        assert_eq!(sums.twice(), 14);
        assert_eq!(sums.precision().to_f64(), 1.0 + 2.0 * (3.0 / 5.0));
    }
}
