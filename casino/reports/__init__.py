"""
What is read from many rooms at once, on a page and in files: one module a report.

Holds the reports themselves (`registers/`), their catalogue, asking for one (`params`,
`on_demand`), how things stood at a position of the ledger (`history` and the modules called
`…_as_of`), and those that a worker prepares and keeps (`preparing`). How any of them is written
down is in `documents`; the exception report is `exceptions`.
Uses nearly every room below it: that is why it stands so high, and why registers lie here and not
in the rooms whose rows they read.
Begin with `catalogue.report` and any register. See `docs/reference/reports.md`.
"""
