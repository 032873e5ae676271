"""
Custody: who has a table's money. Floats, shifts and handovers, folded from ``custody/<table>``.

Holds the stream and its fold (`stream`), the check that money moves only from and to a counted
float (`floats`), count sheets (`sheets`), and the accounts where cash lies (`boxes`). What people
do and see (counting, slips, pages) is in a room above.
Uses `establishments`.
Begin with `stream.Custody` and `floats.guard_floats`.
"""
