"""Evaluations and files that the tests of the faces share."""

from __future__ import annotations

import json

import pytest
from face_helpers import study

import rocsolid as rs


@pytest.fixture
def two():
    y, scores = study(decimals=2)
    return rs.evaluate_many(y, scores)


@pytest.fixture
def predictions(tmp_path):
    """A CSV, a TSV, a JSON lines and a Parquet file with the same columns, by ending."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    y, scores = study(n=200)
    rows = [
        {"y": int(t), "label": "sick" if t else "well", "ok": bool(t), "a": float(a), "b": float(b), "w": 1.0 + i % 3}
        for i, (t, a, b) in enumerate(zip(y, scores["first"], scores["second"], strict=True))
    ]
    header = list(rows[0])
    made = {}
    for ending, mark in (("csv", ","), ("tsv", "\t")):
        lines = [mark.join(header), *(mark.join(str(row[c]) for c in header) for row in rows)]
        made[ending] = tmp_path / f"predictions.{ending}"
        made[ending].write_text("\n".join(lines) + "\n", "utf-8")
    made["jsonl"] = tmp_path / "predictions.jsonl"
    made["jsonl"].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    made["parquet"] = tmp_path / "predictions.parquet"
    pq.write_table(pa.Table.from_pylist(rows), made["parquet"])
    return made
