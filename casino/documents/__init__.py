"""
A table of the house as a document: written as page, JSON, CSV, XLSX or PDF, and sent.

Holds what a report or list is (`report`: tables, columns, figures, filters), one of them with its
lines (`document`), its header (`provenance`), its formats (`writers/`), and the file as a response
(`sending`). Rooms above declare what is listed, and for whom: reports in `reports`.
Uses `establishments`, `game_streams`, `languages` and `platform`.
Begin with `report.Report`, then `writers.written`. See `docs/reference/reports.md`.
"""
