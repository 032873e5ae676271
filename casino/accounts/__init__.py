"""
The house's accounts as people read them: all on one page, any one line by line (A3).

Holds the chart of accounts, statements with running balances, why money moved in a sentence
(`reasons`), pages, CSV and API, and the page of cage and bank. What accounts are called in the
ledger is `operations.accounts`; snapshots of balances are in `cash`.
Uses `cash`, `play`, `settlement`, `custody`, `approvals`, `operations`, `presenters`, `pseudonyms`,
`web`.
Begin with `queries.chart` and `statements.page`. See `docs/reference/accounts.md`.
"""
