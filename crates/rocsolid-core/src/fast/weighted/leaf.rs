//! The smallest step of weighted rows: every pair compared, weights added where the comparison holds.

use super::item::Item;
use crate::fast::isa::Isa;
use crate::fast::lane::Lane;
use crate::fast::precision::LANES;
use crate::weighted::sums::{plus, shares, Limbs, Masses, Sums};
use crate::weighted::units::{canonical, limbs, whole, Unit};

/// Rows of a class that are compared at most; sums of so many limbs fit.
pub(super) const MOST_COMPARED: usize = 128;

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
        for start in (0..rows).step_by(LANES) {
            let live = &LIVE[(rows - start).min(LANES)];
            for i in 0..LANES {
                let Item { lane, weight } = items[start + i];
                let [low, high] = unit.limbs(weight).map(|limb| limb & live[i]);
                self.order[start + i] = lane.order();
                (self.weight[0][start + i], self.weight[1][start + i]) = (low, high);
                (sums[0][i], sums[1][i]) = (sums[0][i] + low, sums[1][i] + high);
            }
        }
        whole(sums.map(|lanes| lanes.iter().sum())) as u128
    }

    #[inline(always)]
    fn four(&self, start: usize) -> [i64; LANES] {
        std::array::from_fn(|i| self.order[start + i])
    }

    #[inline(always)]
    fn weight(&self, row: usize) -> [i64; 2] {
        [self.weight[0][row], self.weight[1][row]]
    }

    /// For each of four orders, the weights of the first `rows` that are as high or higher, and that are higher.
    #[inline(always)]
    fn upwards<I: Isa>(&self, four: [i64; LANES], rows: usize) -> [Limbs; 2] {
        let [low, high] = &self.weight;
        // Spare rows weigh nothing, and whole groups make loops that end where the processor expects it.
        let rows = rows.next_multiple_of(LANES);
        let (order, weight) = (&self.order[..rows], [&low[..rows], &high[..rows]]);
        #[cfg(target_arch = "x86_64")]
        if I::AVX2 {
            // SAFETY: `dispatch` hands out an instruction set only if the processor has it.
            #[allow(unsafe_code)]
            return unsafe { avx2::upwards(four, order, weight) };
        }
        upwards(four, order, weight)
    }
}

/// Which of four lanes hold one of the last 0 to 4 rows.
const LIVE: [[i64; LANES]; LANES + 1] = [
    [0, 0, 0, 0],
    [-1, 0, 0, 0],
    [-1, -1, 0, 0],
    [-1, -1, -1, 0],
    [-1, -1, -1, -1],
];

#[inline(always)]
fn upwards(four: [i64; LANES], order: &[i64], weight: [&[i64]; 2]) -> [Limbs; 2] {
    let mut sums = [[[0; LANES]; 2]; 2];
    for ((&order, &low), &high) in order.iter().zip(weight[0]).zip(weight[1]) {
        for i in 0..LANES {
            let holds = [order >= four[i], order > four[i]].map(|holds| -i64::from(holds));
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

    use super::{Limbs, LANES};

    /// The same with the instructions spelled out.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn upwards(four: [i64; LANES], order: &[i64], weight: [&[i64]; 2]) -> [Limbs; 2] {
        let four = _mm256_loadu_si256(four.as_ptr().cast());
        let zero = _mm256_setzero_si256();
        let [mut from, mut over] = [[zero; 2]; 2];
        let groups = order.chunks_exact(LANES).zip(weight[0].chunks_exact(LANES));
        for ((order, low), high) in groups.zip(weight[1].chunks_exact(LANES)) {
            for j in 0..LANES {
                let order = _mm256_set1_epi64x(order[j]);
                let below = _mm256_cmpgt_epi64(four, order);
                let above = _mm256_cmpgt_epi64(order, four);
                for (i, limb) in [low[j], high[j]].into_iter().enumerate() {
                    let limb = _mm256_set1_epi64x(limb);
                    from[i] = _mm256_add_epi64(from[i], _mm256_andnot_si256(below, limb));
                    over[i] = _mm256_add_epi64(over[i], _mm256_and_si256(above, limb));
                }
            }
        }
        [from, over].map(|sums| sums.map(|sum| unsafe { store(sum) }))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(vector: __m256i) -> [i64; LANES] {
        let mut four = [0; LANES];
        _mm256_storeu_si256(four.as_mut_ptr().cast(), vector);
        four
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
    pub fn compare_pairs<I: Isa>(&mut self, [pos, neg]: [&mut Column; 2], sums: &mut Sums) -> Masses {
        let masses = Masses {
            pos: pos.read(self.pos, self.n_pos, self.unit),
            neg: neg.read(self.neg, self.n_neg, self.unit),
        };
        let [pos_above, neg_above] = [self.above.pos, self.above.neg].map(limbs);
        for start in (0..self.n_pos).step_by(LANES) {
            let four = pos.four(start);
            let [pos_from, _] = pos.upwards::<I>(four, self.n_pos);
            let [neg_from, neg_over] = neg.upwards::<I>(four, self.n_neg);
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
    let equal = run.iter().take_while(|item| item.lane.order() == order).count();
    let (head, tail) = run.split_at(equal);
    *run = tail;
    head.iter().map(|item| whole(unit.limbs(item.weight)) as u128).sum()
}
