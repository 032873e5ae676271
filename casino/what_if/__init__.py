"""
A period played again under another option, fee or home throw: what would have been.

Holds the change, one game played again (`replaying`), the rollovers between games
(`rolling`), runs as resumable jobs, the form and pages, and `manage.py whatif`. Nothing of it
is part of the books.
Uses `regrade` (reading a ledger in slices), `configuration`, `house_rules`, `home_throws`,
`presenters`, `pseudonyms`, `attendants`, `establishments`, `web`.
Begin with `runs.ask` and `replaying.replayed`. See `docs/explanation/what-if.md`.
"""
