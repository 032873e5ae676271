"""
Games as they lie in the ledger: each is folded from the events of its stream.

Holds every game on offer by version (`catalogue`), loading and remembering of games (`loading`),
what a game had come to with each event (`course`), and who has a table or a dice set (`occupancy`).
No models: the ledger is all it reads.
Uses `presenters` (which games are registered), beside `games` and `ledger`.
Begin with `catalogue.current` and `loading.load`.
"""
