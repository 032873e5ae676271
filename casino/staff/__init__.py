"""
Who works at the house: hired, invited, given a role, let go; the access listing; tablets (D1).

Holds employment as acts (`operations`), changes of roles that take two people (`appointments`),
invitations, floor tablets that take a PIN, who had access when (`access`), the log of sign-ins,
pages and API. The people and their secrets are rows of `attendants`.
Uses `configuration`, `approvals`, `operations`, `attendants`, `establishments`, `pseudonyms`,
`web`.
Begin with `operations.employ` and `appointments.change_role`.
"""
