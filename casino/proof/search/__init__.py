"""
Search: rounds, events, how things stood at any event, where a pot's coins came from.

Holds the index beside the ledger (blocks of events, rounds by person and amount), one box for
anything that somebody types (`rounds`), a game, table, pot or house as of any event
(`as_of`), the lineage of pots, and their pages.
Uses `disputes`, `accounts`, `cash`, `core`, `settlement`, `rollovers`, `custody`, `game_streams`,
`presenters`, `web`.
Begin with `rounds.find`, `events.list_events` and `as_of`. See `docs/reference/search.md`.
"""
