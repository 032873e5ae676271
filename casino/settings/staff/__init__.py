"""
The staff of a house: hiring, invitations, roles, dismissals, the access listing, tablets (D1).

Holds employment as acts (`operations`), changes of roles that need two people (`appointments`),
invitations, floor tablets on which a PIN works, who had access when (`listings`), the sign-in log,
pages and API. The people and their secrets are rows of `attendants`.
Within it `sign_in` lets people in, and programs by their tokens.
Uses `configuration`, `approvals`, `acts`, `attendants`, `establishments`, `pseudonyms`,
`web`.
Begin with `operations.employ` and `appointments.change_role`.
"""
