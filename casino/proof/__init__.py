"""
The ledger for people who doubt: verification, signing, backups, events, earlier states, disputes.

`signing` signs and publishes, `verification` verifies and shows proofs, `backup` backs up; `search`
finds rounds and shows earlier states; `disputes` looks at payouts again, and regrades them.
Uses `money`, `play` and what is below. Begin with `signing.signing` and `verification.verifying`.
"""
