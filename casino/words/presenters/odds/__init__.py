"""Questions about the odds of a game, and answers as tables; `casino.play.dice.odds` asks them."""
