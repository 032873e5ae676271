"""
Games as the ledger has them: each is folded from the events of its stream.

Holds every game on offer by version, and what is on record without its package (`catalogue`),
loading games and keeping them in memory, and their histories (`loading`), the course of a game at
each event (`course`), and which game has a table or a dice set (`occupancy`).
No models: the ledger is all it reads.
Uses `presenters` (which games are registered), beside `games` and `ledger`.
Begin with `catalogue.current` and `loading.load`.
"""
