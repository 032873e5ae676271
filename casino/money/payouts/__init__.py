"""
What people do about payouts: look them up, correct them, resume them, inspect the dice.

Holds lists and the history of one payout, adjustments by two people, resuming payouts after a stop,
inspections after a large prize, receipts with their QR code, pages and API. The room `settlement`
books the payouts.
`pot_equation` has the pot equation (A1).
Uses `cash`, `dice`, `core`, `settlement`, `approvals`, `acts`,
`presenters`, `web` and base rooms.
Begin with `queries.find` and `queries.history`; the acts are in `adjustments` and `resuming`.
"""
