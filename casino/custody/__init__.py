"""
Who has a table's money: counted floats, shifts and handovers, folded from ``custody/<table>``.

Holds the stream and its fold (`stream`), the guard that money moves only from and to a counted
float (`floats`), count sheets coin by coin (`sheets`), and the accounts where cash lies (`boxes`).
What people do and see (counting, slips, pages) is in `cash`.
Uses `establishments`.
Begin with `stream.Custody` and `floats.secured`.
"""
