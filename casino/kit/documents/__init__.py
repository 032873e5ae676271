"""
Reports and lists as documents: rendered as page, JSON, CSV, XLSX or PDF, and sent.

Holds the definition of a report or list (`report`: tables, columns, figures, filters), a report
with its header and lines (`document`), its formats, and the file as a response (`writers/`). Rooms
above declare what is listed, and for whom. Uses `establishments`, `game_streams`, `languages` and
`engine`. Begin with `report.Report`, then `writers.write`. See `docs/reference/reports.md`.
"""
