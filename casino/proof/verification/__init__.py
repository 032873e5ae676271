"""
Verification: whether a ledger and all that is computed from it are what was signed.

Holds the steps of a verification and their runs (`verifying`, `runs`), the declaration of every
column as truth, derived or of no account (`columns`), rebuilding in shadow tables (`rebuild`,
`shadow`), exports and imports of a house, how the ledger is to be judged now (`runs`), and the
office's pages *Proof* and of events. Anybody may see checkpoints, receipts and proofs
(`public_pages`, `api`; `docs/reference/proofs.md` has the formats).
Uses `signing` and nearly all rooms below, for what they store: `search`, `surveillance`,
`subscriptions`, `devices`, `cash`, `dice`, `home_throws`, `settlement` and the base rooms.
Begin with `verifying.steps`; the commands are in `management/commands/`. See
`docs/how-to/verify.md` and `rebuild.md` there.
"""
