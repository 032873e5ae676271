"""What one look at a soaking house says."""

from __future__ import annotations

Sample = dict[str, float]
