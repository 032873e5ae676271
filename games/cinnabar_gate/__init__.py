"""Cinnabar Gate stone hand: three eight-sided dice. docs/games/cinnabar-gate.md."""
