"""
The ledger: append, read, subscribe; accounts and transfers. It knows a house only by its id.

Begin with `journal.append`, then `subscriptions`; `tiles`, `checkpoints` and `proofs` are what is
signed and shown, `checking` verifies it. `verify.py` is the verifier for strangers, in one file.
"""
