"""
What the rules decided becomes transfers: payments, points and prizes, booked once each.

Holds the subscriber `settlement`, its entries in ``settlement/<game>``, what is held (for a
witness, a dispute, a failed check) and released, voids as mirror images, the scoreboard, and
a house that pays nobody (`payout_holds`). Rows: `Payout`, `Withheld`, `Tally`, `PrizeRule`,
`PrizeIssued`.
Uses `rollovers`, `operations`, `game_streams`, `establishments`, `platform`.
Begin with `subscriber.handle`; what is booked by now is asked of `settled`. See
docs/decisions/0021 and docs/decisions/0054.
"""
