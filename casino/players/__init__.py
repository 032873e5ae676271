"""
Players and their money: who is known, cash of a day, what nobody has come for, names erased.

Holds the office's pages of players (excluded ones, too), the multiple-transaction log (P2),
unclaimed money and prizes (P3), tips (P4), forgetting a name (`erasure`), and names that a seat is
offered (`regulars`). Names themselves lie in `pseudonyms`.
Uses `accounts`, `cash`, `play`, `exclusions`, `approvals`, `operations`, `pseudonyms`, `web`.
Begin with `pages.players`, `cash.day` (lists about money) and `erasure.erase`.
"""
