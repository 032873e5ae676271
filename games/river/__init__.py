"""River: five hidden dice, five at auction, the highest hand takes the pot. docs/games/river.md."""
