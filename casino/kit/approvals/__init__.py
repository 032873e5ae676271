"""
Acts that need two people: requested by one, answered by another, carried out, listed.

Holds requests (stream ``request/<uuid>``), who may answer them, the queue and its history, the rows
of the exception report, and other lists that wait for somebody (`kinds.PendingItem`). Rooms above
register what may be requested in `config.parts` (`kinds`); requests to void are
kept by their game.
Uses `acts`, `attendants`, `establishments`, `game_streams`, `pseudonyms`, `web`.
Begin with `kinds.Kind`, then `operations.ask` and `answers.decide`. See
`docs/reference/approvals.md`.
"""
