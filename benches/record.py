"""What the numbers depend on, and the history: one file a run, and what became slower since the last."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benches.timing import Finding, Result

HISTORY = Path(__file__).parent / "history"
PACKAGES = (
    "rocsolid", "numpy", "scipy", "scikit-learn", "polars", "duckdb", "catboost", "confidenceinterval", "MLstatkit",
    "torch", "torchmetrics", "torcheval",
)  # fmt: skip
# A ratio that falls by more than this since the last run is a finding.
TOLERATED = 0.15


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def load() -> float | None:
    """Processes that wanted to run in the last minute, ours included."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def machine() -> dict[str, Any]:
    """CPU, cores, load, versions."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "cores": cores(),
        "load": load(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: version for name in PACKAGES if (version := _version(name))},
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def busy(about: dict[str, Any]) -> bool:
    """Whether others were at work when the run began: several threads then have no core each."""
    return about["load"] is not None and about["load"] > about["cores"] / 2


def save(
    directory: Path,
    plan: str,
    about: dict[str, Any],
    findings: Sequence[Finding],
    results: Sequence[Result],
    memory: dict[str, float | None],
) -> Path:
    """Write the run to a file of its own."""
    now = datetime.now(UTC)
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{now:%Y%m%d-%H%M%S}-{plan}.json"
    content = {
        "when": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "plan": plan,
        "machine": about,
        "targets": [asdict(f) | {"must_holds": f.reaches(f.must), "aim_holds": f.reaches(f.aim)} for f in findings],
        "contests": [asdict(r) for r in results],
        "memory": memory,
    }
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def last(directory: Path, plan: str, about: dict[str, Any]) -> dict[str, Any] | None:
    """The latest run of the same plan on the same CPU."""
    for path in sorted(directory.glob(f"*-{plan}.json"), reverse=True):
        run: dict[str, Any] = json.loads(path.read_text())
        same = ("cpu", "cores")
        if [run["machine"][key] for key in same] == [about[key] for key in same]:
            return run | {"file": path.name}
    return None


def regressions(findings: Sequence[Finding], before: dict[str, Any] | None) -> list[str]:
    """Sentences about the ratios that became worse by more than what is tolerated."""
    if before is None:
        return []
    old = {target["key"]: target for target in before["targets"]}
    found = []
    for f in findings:
        was = old.get(f.key, {})
        if f.measured is None or was.get("measured") is None or was["rows"] != f.rows:
            continue
        old_peak, peak = 1 + was["measured"], 1 + f.measured  # beside the input, which counts as 1
        gain = old_peak / peak if f.at_most else f.measured / was["measured"]
        if gain < 1 - TOLERATED:
            found.append(f"{f.work}, against {f.peer}: {was['measured']:.3g} before, {f.measured:.3g} now")
    return found
