"""
The integrity of ledgers: signed, copied outside, verified, rebuilt, backed up and exported.

Holds keys and checkpoints (`keys`, `signing`), copies outside (`copies`), verification
(`verifying`, `runs`), the declaration of every column as truth, derived or of no account
(`columns`), rebuilding in shadow tables (`rebuild`, `shadow`), backups and restores, exports and
imports, epochs, and the office page *Proof*. Proofs for the public are in a room above; regrades of
payouts are a room of their own.
Uses nearly all rooms below it, for what they store: `search`, `surveillance`, `subscriptions`,
`devices`, `cash`, `dice`, `home_throws`, `settlement`, `play` and the base rooms.
Begin with `signing.sign` and `verifying.steps`; the commands are in `management/commands/`. See
`docs/how-to/verify.md`, and `checkpoints.md`, `backup.md` and `rebuild.md` there.
"""
