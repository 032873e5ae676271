"""
Disputes: objections to rounds or payouts, found, raised, decided, and exported as one file (C3).

Holds their rows and who sat in which game, finding the round in question (`queries`), the file with
everything about one dispute (`bundle`), pages and API. The dispute itself is an event of its game
(`games.messages`), recorded through `core`; the money that it holds back is booked by `settlement`.
Within it `regrade` computes every payout again from its throws.
Uses `core`, `settlement`, `approvals`, `attendants`, `game_streams`, `presenters`, `pseudonyms`,
`web`.
Begin with `queries.one` and `queries.find`. See `docs/reference/beside-the-play.md`.
"""
