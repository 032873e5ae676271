"""Threes away: five six-sided dice, threes count nothing, the lowest total takes the pot."""
