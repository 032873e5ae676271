"""
Players and their money: known players, their cash of a day, unclaimed money, erased names.

Holds the office's pages of players (excluded ones, too), the multiple-transaction log (P2),
unclaimed money and prizes (P3), tips (P4), names on public screens, suggested for a seat, and
erased (`player_names`), and the waiting list (`waiting`). The room `pseudonyms` stores the names.
Uses `accounts`, `cash`, `core`, `exclusions`, `house_rules`, `approvals`, `acts`, `pseudonyms`,
`web`. Begin with `pages.players`, `cash.day` (lists about money), `player_names.erase_name` and
`waiting.enter`.
"""
