"""
The house's accounts: the chart of all accounts, and the statement of each (A3).

Holds the chart of accounts, statements with running balances, sentences that say why money moved
(`statements`), pages, CSV and API, and the page of cage and bank. `acts.accounts` has the names
of accounts in the ledger; balance snapshots are in `cash`.
Uses `cash`, `core`, `settlement`, `custody`, `approvals`, `acts`, `presenters`, `pseudonyms`,
`web`.
Begin with `queries.chart` and `statements.page`. See `docs/reference/accounts.md`.
"""
