"""
The start page: one for each role, of the same parts; what it shows and when that moves.

Holds which parts a role sees (`page`), the day's figures beside those of a week ago, what waits
for somebody, running tables and last payouts, and the state of workers, signing and regrades.
Uses what it sums up: `controls`, `exceptions`, `gaming_days`, `health`, `regrade`, `payouts`,
`integrity`, `cash`, `pots`, `play`, `settlement`, `approvals`, `web` and base rooms.
Begin with `page.page_context`. See `docs/reference/office.md`.
"""
