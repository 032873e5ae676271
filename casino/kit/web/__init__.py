"""
The kit of all surfaces: what the pages and the API of all rooms share.

Holds the frame of the office (`pages`, `navigation`, `current_house`), forms that carry the id of
their act (`forms`; `Page.take` and `Page.put` handle what they send), addresses that import their
views on first use (`addresses`), the API's bodies, params, paging, problems and schema (`api/`),
plots as inline SVG (`plots/`), template tags and the drawn dice behind them (`pure_tags`), and
limits for visitors who are not signed in and for programs (`limits`).
Within it `jobs` are works that can be resumed.
Uses all rooms below it: `attendants`, `custody`, `establishments`, `languages`, `presenters`.
Begin with `pages.office` for a page, `api.houses.begin_act` for an act through the API.
"""
