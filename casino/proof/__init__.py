"""
The ledger for people who doubt: verification, signing, backups, events, earlier states, disputes.

`integrity` signs, publishes, verifies and backs up; `proofs` shows events and receipts with their
proofs; `search` finds rounds and shows earlier states; `disputes` and `regrade` look at payouts
again.
Uses `money`, `play` and what is below. Begin with `integrity.signing` and `integrity.verifying`.
"""
