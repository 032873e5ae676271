"""Games told in words, for every surface that shows them: one module a game, alike in outline."""

from casino.play.telling import stone_hand

TITLES = {"stone-hand": "Stone Hand"}
TELLERS = {"stone-hand": stone_hand}  # each game tells its own story
