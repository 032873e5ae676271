"""
Lists of the house, each declared once as a `Listing` with columns, filters and order.

One declaration gives the table of a page (sorted by a click on a heading, filtered, paged by a
cursor, with the person's last order kept), the same lines as CSV, XLSX, PDF and JSON, and the API's
list with the same filters and order. Each room declares its lists in `listings.py`; pages use
`paged`, APIs `view_of` or `list_view`. Registers add a period and a provenance: those are in
`casino.kit.documents`.

Begin with `listing`; `keyset` cuts pages, `request` reads addresses, `table` prepares the table
that a page draws.
"""
