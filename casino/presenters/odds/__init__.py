"""Questions about the odds of a game, and answers as tables; `casino.odds` asks them."""
