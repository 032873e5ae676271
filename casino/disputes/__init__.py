"""
Disputes: what somebody objects to, found, raised, decided, and handed over as one file (C3).

Holds their rows and who sat in which game, finding the round that is meant (`lookup`), the file of
all about one dispute (`bundle`), pages and API. The dispute itself is an event of its game
(`games.messages`), recorded through `play`; what it holds back is booked by `settlement`.
Uses `play`, `settlement`, `approvals`, `attendants`, `game_streams`, `presenters`, `pseudonyms`,
`web`.
Begin with `queries.one` and `lookup.find`. See `docs/reference/beside-the-play.md`.
"""
