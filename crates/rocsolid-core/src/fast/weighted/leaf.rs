//! The smallest step of weighted rows: every pair compared, weights added where the comparison holds.

use super::item::Item;
use crate::fast::isa::Isa;
use crate::fast::lane::Lane;
use crate::weighted::sums::{plus, shares, Limbs, Masses, Sums, LANES};
use crate::weighted::units::{canonical, limbs, whole, Unit};

/// Rows of a class that are compared at most; sums of so many limbs fit.
pub(super) const MOST_COMPARED: usize = 128;

/// Rows compared with them in a turn of the loop.
const GROUP: usize = 4;

/// Rows of one class in a leaf, with spare places for a last group of lanes, whose weight is zero.
pub(super) struct Column {
    order: [i64; MOST_COMPARED + LANES],
    weight: [[i64; MOST_COMPARED + LANES]; 2],
}

impl Default for Column {
    fn default() -> Self {
        Column {
            order: [0; MOST_COMPARED + LANES],
            weight: [[0; MOST_COMPARED + LANES]; 2],
        }
    }
}

impl Column {
    /// Reads the first `rows` of some items, behind which there is room for a group of lanes. Their weights' sum.
    #[inline(always)]
    fn read<L: Lane>(&mut self, items: &[Item<L>], rows: usize, unit: Unit) -> u128 {
        let mut sums = [[0; LANES]; 2];
        for (start, items) in (0..rows).step_by(LANES).zip(items.chunks_exact(LANES)) {
            // Whole arrays at a time, so that they are written as the vectors that they are read as.
            let live = &LIVE[LANES - LANES.min(rows - start)..][..LANES];
            let order: [i64; LANES] = std::array::from_fn(|i| items[i].lane.order());
            let limbs: [[i64; 2]; LANES] = std::array::from_fn(|i| unit.limbs(items[i].weight));
            self.order[start..][..LANES].copy_from_slice(&order);
            for limb in 0..2 {
                let weight: [i64; LANES] = std::array::from_fn(|i| limbs[i][limb] & live[i]);
                self.weight[limb][start..][..LANES].copy_from_slice(&weight);
                for i in 0..LANES {
                    sums[limb][i] += weight[i];
                }
            }
        }
        whole(sums.map(|lanes| lanes.iter().sum())) as u128
    }

    #[inline(always)]
    fn lanes(&self, start: usize) -> [i64; LANES] {
        std::array::from_fn(|i| self.order[start + i])
    }

    #[inline(always)]
    fn weight(&self, row: usize) -> [i64; 2] {
        [self.weight[0][row], self.weight[1][row]]
    }

    /// For each of some orders, the weights of the first `rows` that are as high or higher, and that are higher.
    #[inline(always)]
    fn upwards<I: Isa>(&self, lanes: [i64; LANES], rows: usize) -> [Limbs; 2] {
        let [low, high] = &self.weight;
        // Spare rows weigh nothing, and whole groups make loops that end where the processor expects it.
        let rows = rows.next_multiple_of(GROUP);
        let (order, weight) = (&self.order[..rows], [&low[..rows], &high[..rows]]);
        #[cfg(target_arch = "x86_64")]
        if I::AVX2 {
            // SAFETY: `dispatch` hands out an instruction set only if the processor has it.
            #[allow(unsafe_code)]
            return unsafe { avx2::upwards(lanes, order, weight) };
        }
        upwards(lanes, order, weight)
    }
}

/// Masks: eight lanes of it, from the place `8 - n` on, keep the first `n`.
const LIVE: [i64; 2 * LANES] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

#[inline(always)]
fn upwards(lanes: [i64; LANES], order: &[i64], weight: [&[i64]; 2]) -> [Limbs; 2] {
    let mut sums = [[[0; LANES]; 2]; 2];
    for ((&order, &low), &high) in order.iter().zip(weight[0]).zip(weight[1]) {
        for i in 0..LANES {
            let holds = [order >= lanes[i], order > lanes[i]].map(|holds| -i64::from(holds));
            for (sums, holds) in sums.iter_mut().zip(holds) {
                sums[0][i] += low & holds;
                sums[1][i] += high & holds;
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Limbs, GROUP, LANES};

    /// The same with the instructions spelled out.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn upwards(lanes: [i64; LANES], order: &[i64], weight: [&[i64]; 2]) -> [Limbs; 2] {
        let lanes = [0, 1]
            .map(|half| unsafe { _mm256_loadu_si256(lanes.as_ptr().cast::<__m256i>().add(half)) });
        let [mut from, mut over] = [[[_mm256_setzero_si256(); 2]; 2]; 2];
        let groups = order.chunks_exact(GROUP).zip(weight[0].chunks_exact(GROUP));
        for ((order, low), high) in groups.zip(weight[1].chunks_exact(GROUP)) {
            for j in 0..GROUP {
                let order = _mm256_set1_epi64x(order[j]);
                let limbs = [_mm256_set1_epi64x(low[j]), _mm256_set1_epi64x(high[j])];
                for half in 0..2 {
                    let below = _mm256_cmpgt_epi64(lanes[half], order);
                    let above = _mm256_cmpgt_epi64(order, lanes[half]);
                    for (i, &limb) in limbs.iter().enumerate() {
                        let (from, over) = (&mut from[i][half], &mut over[i][half]);
                        *from = _mm256_add_epi64(*from, _mm256_andnot_si256(below, limb));
                        *over = _mm256_add_epi64(*over, _mm256_and_si256(above, limb));
                    }
                }
            }
        }
        [from, over].map(|sums| sums.map(|sum| unsafe { store(sum) }))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(halves: [__m256i; 2]) -> [i64; LANES] {
        let mut lanes = [0; LANES];
        let to: *mut __m256i = lanes.as_mut_ptr().cast();
        _mm256_storeu_si256(to, halves[0]);
        _mm256_storeu_si256(to.add(1), halves[1]);
        lanes
    }
}

/// The rows of a leaf: the first of both classes' items, behind which there is room for a group of lanes.
pub(super) struct Leaf<'a, L> {
    pub pos: &'a mut [Item<L>],
    pub neg: &'a mut [Item<L>],
    pub n_pos: usize,
    pub n_neg: usize,
    pub above: Masses,
    pub unit: Unit,
}

impl<L: Lane> Leaf<'_, L> {
    /// Adds up by comparing all pairs. The sums of the leaf's weights.
    #[inline(always)]
    pub fn compare_pairs<I: Isa>(
        &mut self,
        [pos, neg]: [&mut Column; 2],
        sums: &mut Sums,
    ) -> Masses {
        let masses = Masses {
            pos: pos.read(self.pos, self.n_pos, self.unit),
            neg: neg.read(self.neg, self.n_neg, self.unit),
        };
        let [pos_above, neg_above] = [self.above.pos, self.above.neg].map(limbs);
        for start in (0..self.n_pos).step_by(LANES) {
            let lanes = pos.lanes(start);
            let [pos_from, _] = pos.upwards::<I>(lanes, self.n_pos);
            let [neg_from, neg_over] = neg.upwards::<I>(lanes, self.n_neg);
            let [mut true_pos, mut false_pos, mut discordant] = [[[0; LANES]; 2]; 3];
            for i in 0..LANES {
                let sum = |outside: [i64; 2], inside: Limbs| {
                    canonical([outside[0] + inside[0][i], outside[1] + inside[1][i]])
                };
                [true_pos[0][i], true_pos[1][i]] = sum(pos_above, pos_from);
                [false_pos[0][i], false_pos[1][i]] = sum(neg_above, neg_from);
                for limb in 0..2 {
                    discordant[limb][i] =
                        2 * neg_above[limb] + neg_from[limb][i] + neg_over[limb][i];
                }
            }
            let share = shares::<I>(true_pos, plus(true_pos, false_pos));
            for i in 0..LANES {
                let lane = |of: &Limbs| [of[0][i], of[1][i]];
                sums.add(pos.weight(start + i), lane(&discordant), lane(&share));
            }
        }
        sums.added(self.n_pos);
        masses
    }

    /// The same by sorting both classes and walking down from the highest score; for leaves with too many pairs.
    #[inline(never)]
    pub fn sort_and_walk(&mut self, sums: &mut Sums) -> Masses {
        let classes = [&mut self.pos[..self.n_pos], &mut self.neg[..self.n_neg]];
        let [mut pos, mut neg] = classes.map(|items| {
            items.sort_unstable_by_key(|item| std::cmp::Reverse(item.lane.order()));
            &*items
        });
        let mut masses = Masses::default();
        let order = |item: Option<&Item<L>>| item.map(|item| item.lane.order());
        while let Some(order) = order(pos.first()).max(order(neg.first())) {
            let tied = Masses {
                pos: take_equal(&mut pos, order, self.unit),
                neg: take_equal(&mut neg, order, self.unit),
            };
            sums.add_ties(tied, self.above.and(masses));
            masses = masses.and(tied);
        }
        masses
    }
}

/// Cuts off the head of a run that has this order, and tells what it weighs.
#[inline]
fn take_equal<L: Lane>(run: &mut &[Item<L>], order: i64, unit: Unit) -> u128 {
    let equal = run
        .iter()
        .take_while(|item| item.lane.order() == order)
        .count();
    let (head, tail) = run.split_at(equal);
    *run = tail;
    head.iter()
        .map(|item| whole(unit.limbs(item.weight)) as u128)
        .sum()
}
