"""
The box that finds everything and says what one may do: Ctrl-K, or the button in the header.

Holds what is found by words (tables, games, players, people) and by numbers (receipts, positions,
hashes), the pages that a role may open, what may be done now, and the one address that answers with
a page, a fragment or JSON. All of it is in `pages`.
Uses `search`, `registers`, `gaming_days`, `configuration`, `cash`, `core`, `players`, `web` and
what these know; that is why it is in a high layer.
Begin with `pages.find_groups`. See `docs/reference/search.md`.
"""
