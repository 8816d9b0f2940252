//! The columns of a table while it is made: room for as many rows as there can be, filled piece by piece.
//!
//! Each bucket writes to a piece of its own, as long as all its rows could need. What they leave free is closed up in
//! the end. Room that was never written to costs addresses, not memory.

use std::mem::{take, MaybeUninit};

use super::ranks::Rows;
use super::scratch::advise;
use crate::error::{Error, Result};
use crate::table::Table;

/// Columns with room for some rows, divided into pieces.
pub(crate) struct Columns<S> {
    /// What is written lies in the spare capacity of its columns.
    table: Table<S>,
    /// How long each piece is, and how many of its rows are written.
    lengths: Vec<usize>,
    written: Vec<usize>,
}

/// Room for consecutive rows, filled from its start.
pub(crate) struct Piece<'a, S> {
    scores: &'a mut [MaybeUninit<S>],
    pos: &'a mut [MaybeUninit<u64>],
    neg: &'a mut [MaybeUninit<u64>],
    written: &'a mut usize,
}

impl<S: Copy> Columns<S> {
    /// Pieces of these lengths, one behind the other.
    pub fn new(lengths: Vec<usize>) -> Result<Self> {
        let (rows, mut table) = (lengths.iter().sum(), Table::with_capacity(0));
        reserve(&mut table.scores, rows)?;
        reserve(&mut table.pos, rows)?;
        reserve(&mut table.neg, rows)?;
        let written = vec![0; lengths.len()];
        Ok(Columns {
            table,
            lengths,
            written,
        })
    }

    /// All pieces, in order, with nothing written yet.
    pub fn pieces(&mut self) -> Vec<Piece<'_, S>> {
        let mut scores = self.table.scores.spare_capacity_mut();
        let mut pos = self.table.pos.spare_capacity_mut();
        let mut neg = self.table.neg.spare_capacity_mut();
        self.written.fill(0);
        let sizes = self.lengths.iter().zip(&mut self.written);
        sizes
            .map(|(&length, written)| Piece {
                scores: cut_off(&mut scores, length),
                pos: cut_off(&mut pos, length),
                neg: cut_off(&mut neg, length),
                written,
            })
            .collect()
    }

    /// The rows written, without gaps. Gives back the room that is left.
    pub fn close_up(mut self) -> Table<S> {
        let Columns {
            table,
            lengths,
            written,
        } = &mut self;
        close(table.scores.spare_capacity_mut(), lengths, written);
        close(table.pos.spare_capacity_mut(), lengths, written);
        close(table.neg.spare_capacity_mut(), lengths, written);
        let rows = written.iter().sum();
        // SAFETY: `written` counts, for each piece, the rows from its start that `Piece` has written to all
        // three columns; these now lie without a gap at the start of the capacity.
        #[allow(unsafe_code)]
        unsafe {
            table.scores.set_len(rows);
            table.pos.set_len(rows);
            table.neg.set_len(rows);
        }
        table.scores.shrink_to_fit();
        table.pos.shrink_to_fit();
        table.neg.shrink_to_fit();
        self.table
    }
}

impl<S: Copy> Rows<S> for Piece<'_, S> {
    #[inline]
    fn push(&mut self, score: S, pos: u64, neg: u64) {
        let row = *self.written;
        self.scores[row].write(score);
        self.pos[row].write(pos);
        self.neg[row].write(neg);
        *self.written += 1;
    }

    #[inline(always)]
    fn append(&mut self, scores: &[S], positive: &[u8]) {
        let rows = *self.written..*self.written + scores.len();
        copy(&mut self.scores[rows.clone()], scores, |score| score);
        copy(&mut self.pos[rows.clone()], positive, u64::from);
        copy(&mut self.neg[rows], positive, |one| u64::from(1 - one));
        *self.written += scores.len();
    }
}

/// Room for exactly so many rows, on large pages if there are any.
pub(super) fn reserve<T>(column: &mut Vec<T>, rows: usize) -> Result<()> {
    column.try_reserve_exact(rows).map_err(|_| Error::Memory)?;
    advise(column.spare_capacity_mut());
    Ok(())
}

/// The first places of a column, which loses them.
pub(super) fn cut_off<'a, T>(column: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (first, rest) = take(column).split_at_mut(length);
    *column = rest;
    first
}

/// Moves what is written of each piece to the end of what is written of the pieces before.
pub(super) fn close<T: Copy>(column: &mut [MaybeUninit<T>], lengths: &[usize], written: &[usize]) {
    let (mut end, mut start) = (0, 0);
    for (&length, &rows) in lengths.iter().zip(written) {
        if end < start {
            column.copy_within(start..start + rows, end);
        }
        (end, start) = (end + rows, start + length);
    }
}

#[inline(always)]
fn copy<T: Copy, U>(to: &mut [MaybeUninit<U>], from: &[T], convert: impl Fn(T) -> U) {
    for (to, &from) in to.iter_mut().zip(from) {
        to.write(convert(from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_closed() {
        let mut columns = Columns::new(vec![3, 0, 2, 4]).unwrap();
        let mut pieces = columns.pieces();
        pieces[3].append(&[6, 7], &[1, 0]);
        pieces[3].push(8, 300, 0);
        pieces[0].push(5, 1, 0);
        drop(pieces);
        let table = columns.close_up();
        assert_eq!(table.scores, [5, 6, 7, 8]);
        assert_eq!(
            (table.pos, table.neg),
            (vec![1, 1, 0, 300], vec![0, 0, 1, 0])
        );
        assert_eq!(table.scores.capacity(), 4);
        assert_eq!(Columns::<u8>::new(vec![]).unwrap().close_up().scores, []);
    }

    #[test]
    fn what_no_machine_has_is_an_error() {
        assert!(matches!(
            Columns::<f64>::new(vec![usize::MAX / 2]),
            Err(Error::Memory)
        ));
    }
}
