"""
What is read from many rooms at once, on a page and in files: one module a report.

Holds what a report is (`report`), the reports themselves (`registers/`), their forms (`writers/`:
CSV, JSON, XLSX, PDF), asking for one (`params`, `on_demand`), and those that a worker prepares and
keeps (`preparing`). The exception report is `exceptions`.
Uses nearly every room below it: that is why it stands so high, and why registers lie here and not
in the rooms whose rows they read.
Begin with `report.Report`, `catalogue.report`, and any register. See `docs/reference/reports.md`.
"""
