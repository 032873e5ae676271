"""
Rollovers: coins that a pot leaves for the next game of its kind, in lots, each claimed once (TA10).

The coins are players' money. Holds the guarded stream ``rollover/<ruleset>``, what it offers to an
opening game, and what a command changes in it. There are no models and no pages: rooms above book
the coins, deliver and show them.
Uses `game_streams`.
Begin with `operations.Rollover` and `operations.offer_for`. See docs/decisions/0005.
"""
