"""
What rooms are made with: pages, lists, the API, documents, jobs, approvals.

`web` has the frame of pages, lists and the API, and works that can be resumed; `documents` writes
files; `approvals` lets a second person approve what one has asked for.
Uses `house`, `words`, `engine`. Begin with `web.pages.office` and `web.listings.listing`.
"""
