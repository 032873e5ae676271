"""
Settlement: books what the rules decided (payments, points and prizes) as transfers, once each.

Holds the subscriber `settlement`, its entries in ``settlement/<game>``, money that is held (for a
witness, a dispute, a failed check) and its release, the reversal of what a void cancels, the
scoreboard, and the stop of a house's payouts (`payout_holds`). Rows: `Payout`, `Withheld`,
`Scoreboard`, `Season`, `Tally`, `PrizeRule`, `PrizeIssued`.
Within it `rollovers` has what a pot leaves for the next game.
Uses `acts`, `game_streams`, `establishments`, `engine`.
Begin with `subscriber.handle`; `settled` has the queries of what is booked. See
docs/decisions/0021 and docs/decisions/0002.
"""
