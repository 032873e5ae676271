"""
What people do about payouts: look them up, set them right, resume them, inspect the dice.

Holds lists and the story of one payout, adjustments by two people, payouts resumed after a stop,
inspections after a large prize, receipts with their QR code, pages and API. What books payouts is
`settlement`.
Uses `integrity`, `pots`, `cash`, `dice`, `play`, `settlement`, `approvals`, `operations`,
`presenters`, `web` and base rooms.
Begin with `queries.found` and `queries.history`; the acts are in `adjustments` and `resuming`.
"""
