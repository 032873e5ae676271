"""
What-ifs: a period played again under another option, fee or home throw.

Holds the change, the replay of one game (`replaying`), runs as resumable jobs with the rollovers
between games (`runs`), the form and pages, and `manage.py whatif`. No result of a what-if gets
into the ledger.
Uses `regrade` (reading a ledger in slices), `configuration`, `house_rules`, `home_throws`,
`presenters`, `pseudonyms`, `attendants`, `establishments`, `web`.
Begin with `runs.ask` and `replaying.replay`. See `docs/explanation/what-if.md`.
"""
