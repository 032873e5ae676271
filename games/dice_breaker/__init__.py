"""Dice breaker: five dice each, thrown to break others; the first to 33 points wins."""
