"""
Playing a game: a command is put to its rules, decided, and written in one entry.

Holds opening games and commands (`operations`), what screens ask about a game (`queries`), game
cards, the day's figures and rounds as rows (`projections`, `rounds`), requests to void, transcripts
on record, a round told afterwards (`stories`), and the API of games.
Uses `settlement`, `rollovers`, `dice`, `exclusions`, `house_rules`, `home_throws`, `approvals`,
`operations`, `custody`, `game_streams`, `presenters`, and base rooms.
Begin with `operations.command`, then `core.ask` and `consequences.entry`. The screen at the table
is in `board` and `tables`.
"""
