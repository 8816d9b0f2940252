"""How large everything is: a look, the record, or a test that it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Rows and repeats. Targets speak of the sizes in ``FULL``."""

    name: str
    large: int  # rows of the areas' targets
    medium: int
    small: int
    curve: int
    columns: int  # score columns, of `medium` rows
    columns_by_peers: int
    delong: int  # rows; there are ten models
    replicates: int  # of `medium` rows
    replicates_by_peers: int
    grid: int  # rows of each shape and dtype
    sizes: tuple[int, ...]
    ours_only: int  # from so many rows on only NumPy stays to compare with
    memory: int
    rounds: int
    seconds: float  # a contest stops after the round that passes them
    rows_a_turn: int = 100_000
    memory_inputs: int | None = None  # of those that memory is measured on; None for all


QUICK = Plan(
    name="quick", large=1_000_000, medium=100_000, small=1_000, curve=1_000_000, columns=60, columns_by_peers=4,
    delong=100_000, replicates=500, replicates_by_peers=4, grid=100_000, sizes=(1_000, 10_000, 100_000, 1_000_000),
    ours_only=10_000_000, memory=2_000_000, rounds=5, seconds=8,
)  # fmt: skip
FULL = Plan(
    name="full", large=10_000_000, medium=100_000, small=1_000, curve=1_000_000, columns=1_000, columns_by_peers=10,
    delong=1_000_000, replicates=2_000, replicates_by_peers=10, grid=10_000_000,
    sizes=(1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000), ours_only=20_000_000, memory=10_000_000,
    rounds=5, seconds=60,
)  # fmt: skip
TINY = Plan(
    name="tiny", large=3_000, medium=2_000, small=500, curve=2_000, columns=3, columns_by_peers=2, delong=500,
    replicates=5, replicates_by_peers=2, grid=300, sizes=(300, 600), ours_only=600, memory=50_000, rounds=1, seconds=1,
    rows_a_turn=0, memory_inputs=1,
)  # fmt: skip
PLANS = {plan.name: plan for plan in (QUICK, FULL, TINY)}
