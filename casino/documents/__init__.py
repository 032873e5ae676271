"""
A table of the house as a document: written down as page, JSON, CSV, XLSX or PDF, and sent.

Holds what a report or list is (`report`: tables, columns, figures, filters), one that was asked
for with its lines (`document`), what it says of itself (`provenance`), its forms (`writers/`), and
the file as an answer (`sending`). What is listed, and for whom, is said by rooms above: reports in
`reports`.
Uses `establishments`, `game_streams`, `languages` and `platform`.
Begin with `report.Report`, then `writers.written`. See `docs/reference/reports.md`.
"""
