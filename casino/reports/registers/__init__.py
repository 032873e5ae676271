"""
Reports, which read from many rooms at once, as pages and files.

Holds the reports themselves (`payouts`, `games`, `corrections` …), their `catalogue`, the request
for one (`params`), how things stood at a position of the ledger (`history`), and the reports that
are read at once or prepared by a worker and kept (`preparing`). `documents` writes a report as page
or file; the exception report is in `exceptions` within it. Uses nearly every room below it. That is
why this room is in a high layer, and why registers are here and not in the rooms whose rows they
read. Begin with `catalogue.report` and any register. See `docs/reference/reports.md`.
"""
