"""
The pot equation: what came into a pot, what left it, and what therefore lies in it (A1, A6).

Holds the equation of a game, of all open pots and of rollovers, their page and API.
Uses `core`, `acts` (accounts), `game_streams`, `presenters`, `establishments`, `web`.
Begin with `queries.Equation` and `queries.open_pots`. See `docs/reference/accounts.md`.
"""
