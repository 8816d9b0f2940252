//! A bucket that one score fills: its rows are counted, and only the others are copied.
//!
//! Where half of all rows share a score, their bucket holds half of all rows. Nothing spreads these any further, and a
//! copy of them would take as much memory as a large part of the data.

use std::iter::once;

use super::bucket::{self, Workspace};
use super::compare::Compare;
use super::distribute::place;
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
    let (neg_sizes, pos_sizes) = (sizes(neg.clone(), heavy), sizes(pos.clone(), heavy));
    // Rows below, at and above the score: negatives and positives of each.
    let parts: [[usize; 2]; 3] = std::array::from_fn(|part| [neg_sizes[part], pos_sizes[part]]);
    let [below, at, above] = parts.map(|[neg, pos]| neg + pos);
    if at < below + above {
        return Ok(None);
    }
    let (inside, _) = place(&parts);
    let mut sums = Sums::default();
    sums.add_one_tie(parts[1][1] as u64, parts[1][0] as u64, inside[1] + outside);
    let mut scratch = Scratch::of::<L>(below.max(above))?;
    for (part, wanted) in [(0, L::lt as fn(&L, &L) -> bool), (2, L::gt)] {
        let [n_neg, n_pos] = parts[part];
        let (neg_room, pos_room) = scratch.lanes()[..n_neg + n_pos].split_at_mut(n_neg);
        keep(neg.clone(), |lane| wanted(lane, &heavy), neg_room);
        keep(pos.clone(), |lane| wanted(lane, &heavy), pos_room);
        let rows = [once(&*neg_room), once(&*pos_room)];
        let (size, outside) = ([n_neg, n_pos], inside[part] + outside);
        sums += bucket::count_again(rows, size, outside, workspace, 0)?;
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
fn sizes<'a, L: Lane>(pieces: impl Iterator<Item = &'a [L]>, score: L) -> [usize; 3] {
    pieces.fold([0; 3], |[below, at, above], piece| {
        let count = |wanted: fn(&L, &L) -> bool| -> usize {
            piece
                .iter()
                .map(|lane| usize::from(wanted(lane, &score)))
                .sum()
        };
        [
            below + count(L::lt),
            at + count(L::eq),
            above + count(L::gt),
        ]
    })
}

/// Copies the rows that are wanted, as many as there is room for.
fn keep<'a, L: Lane>(
    pieces: impl Iterator<Item = &'a [L]>,
    wanted: impl Fn(&L) -> bool,
    room: &mut [L],
) {
    let kept = pieces.flatten().filter(|lane| wanted(lane));
    room.iter_mut()
        .zip(kept)
        .for_each(|(place, &lane)| *place = lane);
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
