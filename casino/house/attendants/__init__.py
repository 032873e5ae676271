"""
Staff: who works at which house, in which role, and how they prove who they are.

Holds people, roles and employments (`models`), what a role may do (`permissions`), passwords,
second factors, passkeys, PINs, lockouts, the sign-in log, and how strongly somebody is signed in
(`assurance`). No pages: signing in, hiring and changes of roles are rooms above.
Within it `pseudonyms` has the names behind the ledger's tokens.
Uses `establishments`, `languages` and `engine`.
Begin with `permissions.require`, which acts of people call, then `models.Employment`.
docs/decisions/0020 says how the parts were chosen.
"""
