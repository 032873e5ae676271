"""
Players and their money: known players, their cash of a day, unclaimed money, erased names.

Holds the office's pages of players (excluded ones, too), the multiple-transaction log (P2),
unclaimed money and prizes (P3), tips (P4), erasing a name (`erasure`), the names that are suggested
for a seat (`regulars`), and the waiting list (`waiting`). The room `pseudonyms` stores the names.
Uses `accounts`, `cash`, `core`, `exclusions`, `house_rules`, `approvals`, `acts`,
`pseudonyms`, `web`.
Begin with `pages.players`, `cash.day` (lists about money), `erasure.erase` and `waiting.enter`.
"""
