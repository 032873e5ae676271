"""
The exception report: what was voided, overridden, late, changed, approved or done alone (C2).

Holds the query over all its sources, its lines in words, its page, exports and API. The rows are
written by `approvals`, `gaming_days` and `surveillance`.
Uses these rooms, and `configuration`, `core`, `presenters`, `pseudonyms`, `attendants`, `web`.
Begin with `queries.page` and `queries.LineBuilder`. See `docs/reference/approvals.md`.
"""
