"""Coverage of every interval and size of every test over a grid: ``python -m tests.statistical.simulate``.

``populations`` says what data look like and what is true of them, ``grid`` which cells there are, ``run`` draws and
counts, ``page`` writes docs/explanation/coverage.md.
"""
