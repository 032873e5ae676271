"""
What anybody may verify of a house's ledger: checkpoints, keys, proofs, the verifier, events.

Holds the pages that need no sign-in (`views`), the API of inclusion and consistency proofs, and
the office's list of events, each with its proof (`event_pages`).
Uses `signing` (checkpoints as published), `payouts` (receipts), `search` (events found),
`accounts`, `approvals`, `settlement`, `game_streams`, `pseudonyms`, `web`.
Begin with `views.ledger` and `api.EventProof`. `docs/reference/proofs.md` has the formats.
"""
