"""
The odds of every game: asked by a page, the API and the command line, answered exactly.

Holds plots, the page, the API and `manage.py odds`. Questions and tables of a game stand in its own
package, what they are made of in `casino.presenters.odds`; the computing is pure, in `games/`.
Uses `presenters`, `home_throws` (those in force), `attendants`, `establishments` and `web`.
Begin with `queries.answer` and `casino.presenters.odds.subject.Subject`. See
`docs/explanation/odds.md`.
"""
