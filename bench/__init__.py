"""Measured side by side, as ratios: see README.md."""
