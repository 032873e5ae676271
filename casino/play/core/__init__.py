"""
Playing games: the rules of a game decide a command, and one entry of the ledger records it.

Holds opening games and commands (`operations`), the queries about a game (`queries`), game cards,
the day's figures and rounds as rows (`projections`, `rounds`), requests to void, recording
transcripts (`manage.py replay`), the account of a round for people to read (`stories`), and the API
of games. Within it `subscriptions` has the tasks that let workers read the ledger. Uses
`settlement`, `rollovers`, `dice`, `exclusions`, `house_rules`, `home_throws`, `approvals`, `acts`,
`custody`, `game_streams`, `presenters`, and base rooms. Begin with `operations.command`, then
`core.ask` and `consequences.entry`. The screen at the table is in rooms above.
"""
