"""
The box that finds everything and says what one may do: Ctrl-K, or the button in the header.

Holds what is found by words (`things`: tables, games, players, people; `numbers`: receipts,
positions, hashes), the pages that a role may open (`destinations`), what may be done now (`acts`),
and the one address that answers with a page, a fragment or JSON (`pages`).
Uses `search`, `reports`, `gaming_days`, `configuration`, `cash`, `play`, `players`, `web` and what
these know; that is why it is in a high layer.
Begin with `finding.find`. See `docs/reference/search.md`.
"""
