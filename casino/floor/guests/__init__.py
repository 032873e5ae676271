"""
The guests' page: for players, without signing in, if a manager has switched it on.

Holds what is played at a house and by which rules, the odds, pots and rollovers as they stand; with
the code of a slip its payout, the proof and its player's evening; with a code from the desk a
player's own page: points, prizes, the waiting list, limits, self-exclusion. Wall boards for players
to look at are in `wall`: what everybody at the table sees, the parts that a board of the house
walks through, and how the house plays each game. Uses `tables` (polls answered by 304), `odds`,
`payouts` (codes of slips), `players`, `exclusions`, `signing`, `house_rules`, `acts`, `core`,
`settlement`, `presenters`, `attendants`, `establishments`, `languages`, `pseudonyms`, `web`. Begin
with `pages.index`, `pages.SECTIONS`, `own_pages.page` and `wall.board`.
"""
