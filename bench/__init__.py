"""Benchmarks: alternatives are measured side by side and compared as ratios. See README.md."""
