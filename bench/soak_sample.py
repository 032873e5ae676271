"""The type of one sample of a soaking house."""

from __future__ import annotations

Sample = dict[str, float]
