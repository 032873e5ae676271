"""
What a pot leaves for the next game of its kind: lots of players' money, each claimed once (TA10).

Holds the guarded stream ``rollover/<ruleset>``, what an opening is offered from it, and what an
entry changes in it. No models, no pages: coins are booked by `settlement`, handed over by
`play.rollover_delivery`, and shown in `pots`.
Uses `game_streams`.
Begin with `operations.Rollover` and `operations.offered`. See docs/decisions/0006.
"""
