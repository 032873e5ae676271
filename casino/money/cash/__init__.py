"""
Cash as people handle it: counts, handovers, fills and credits, fee boxes, cage and bank, tips.

Holds the acts (`counting`, `handover`, `slips`, `fees`, `bank`, `prizes`, `tips`), their pages and
API, and rows of shifts, counts and accounts (`models`). The rules of a counted float are in a lower
room, `custody`; `accounts` within this one reads what every account holds. Uses `core`,
`settlement`, `approvals`, `custody`, `acts`, `attendants`, `establishments`, `pseudonyms`,
`web`. Begin with `counting.count` and `queries.table_cash`; slips in `slips.ask`. See
`docs/reference/cash.md`.
"""
