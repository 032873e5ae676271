"""
Reports, which read from many rooms at once, as pages and files: one module for each report.

Holds the reports themselves (`registers/`), their catalogue, the request for one (`params`,
`on_demand`), how things stood at a position of the ledger (`history` and the modules called
`…_as_of`), and the reports that a worker prepares and keeps (`preparing`). `documents` writes a
report as page or file; the exception report is in `exceptions`.
Uses nearly every room below it. That is why this room is in a high layer, and why registers are
here and not in the rooms whose rows they read.
Begin with `catalogue.report` and any register. See `docs/reference/reports.md`.
"""
