"""A GROUP BY is a sweep: the database counts, the rows stay where they are. Needs `pip install duckdb`.

python examples/from_sql.py
"""

from __future__ import annotations

import duckdb

import rocsolid as rs

connection = duckdb.connect()
connection.execute("""
    CREATE TABLE predictions AS
    SELECT (hash(i) % 1000) / 1000 AS score, (hash(i * 7 + 1) % 1000) / 1000 < (hash(i) % 1000) / 1000 AS is_fraud
    FROM range(1_000_000) t(i)
""")
counts = connection.execute("""
    SELECT score, count(*) FILTER (is_fraud) AS pos, count(*) FILTER (NOT is_fraud) AS neg
    FROM predictions WHERE score IS NOT NULL AND is_fraud IS NOT NULL
    GROUP BY score
""").fetchnumpy()

sweep = rs.Sweep.from_counts(counts["score"], counts["pos"], counts["neg"])
print(sweep)
print(rs.Evaluation(sweep).table())
print(rs.Evaluation(sweep).at(threshold=0.8))
