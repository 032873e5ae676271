"""
The exception report: what was voided, overridden, late, changed, approved or done alone (C2).

Holds the query over all its sources, a line of it in words, its page, files and API. The rows are
written by `approvals`, `gaming_days` and `surveillance`.
Uses those, and `configuration`, `play`, `presenters`, `pseudonyms`, `attendants`, `web`.
Begin with `queries.page` and `lines.Told`. See `docs/reference/approvals.md`.
"""
