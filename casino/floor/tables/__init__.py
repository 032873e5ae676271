"""
The floor: the attendants' pages, from the hall of tables to the board of a running game.

Holds opening a game (`open_form`), the board's page, its log and sheets, voids and supervisors'
answers, a change of attendant by PIN, the entries that a recording device posts (`recording`), the
hall with all tables, and polls answered by 304 (`news`). The pages are forms over the same
operations as the API.
Within it `board` draws the board of a game, and `offline` is what a tablet runs alone.
Uses `sign_in`, `staff`, `payouts`, `players`, `devices`, `core`, `settlement`,
`approvals`, `web` and base rooms.
Begin with `urls`, then `views.game` and `hall.hall`. See `docs/how-to/floor.md` and
`docs/explanation/live.md`.
"""
