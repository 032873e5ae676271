"""
The rules of the games, in pure Python: no Django, clock, random numbers, files or logging.

Each game is a package: `rules` decides a command, `messages` are its events, `odds` counts chances.
What all games share is beside them: payments and odd coins (`payments`), fees (`fees`), voids and
events beside the play (`session`). Begin with `game.Ruleset`, then a game's `rules.decide`.
"""
