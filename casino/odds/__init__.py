"""
The odds of every game: asked by a page, the API and the command line, answered exactly.

Holds for each game its questions and tables (one module a game), answers as fractions
(`answers`), plots, the page, the API and `manage.py odds`. The computing itself is pure, in
`games/`.
Uses `home_throws` (those in force), `attendants`, `establishments` and `web`.
Begin with `queries.answer` and `subject.Subject`. See `docs/explanation/odds.md`.
"""
