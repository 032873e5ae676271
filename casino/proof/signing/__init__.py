"""
Signing: the keys of a house, checkpoints of its ledger, and copies of them outside the house.

Holds keys and the record of them (`keys`), what a checkpoint covers
(`signing`), copies outside (`copies`), epochs after a loss, events that a subscriber could not
process (`parked`), what is found and stops payouts (`findings`), and rows of all of it (`models`,
under the label `integrity`).
Uses `settlement`, `subscriptions`, `acts`, `attendants`, `establishments`, `jobs`, `engine`.
Begin with `signing.sign` and `copies`. See `docs/how-to/checkpoints.md`.
"""
