"""Speed and memory beside other libraries: ``python -m benches`` or ``make bench``."""
