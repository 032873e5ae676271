"""
A list of the house, declared once: `Listing`, its columns, filters and order.

From one declaration come the table of a page (sorted by a click on a heading, filtered, paged by
a cursor, linked to, with the person's own order kept), the same lines as CSV, XLSX, PDF and JSON,
and the API's list with the same filters and order. Each room declares its lists in `listings.py`;
pages use `paged`, APIs `ListingView`. What a register adds, a period and a provenance, is in
`casino.documents`.

Begin in `listing`; `keyset` cuts pages, `request` reads addresses, `table` is what is drawn.
"""
