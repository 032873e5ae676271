"""
The exact odds of every game, on a page, in the API and on the command line.

Holds plots, the page, the API and `manage.py odds`. Queries and tables of a game are in its own
package, their building blocks in `casino.words.presenters.odds_tables`. The odds are computed in
`games/`, which is pure. Uses `presenters`, `home_throws` (those in force), `attendants`,
`establishments` and `web`. Begin with `queries.answer` and
`casino.words.presenters.odds_tables.Subject`. See `docs/explanation/odds.md`.
"""
