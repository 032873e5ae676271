"""
Signing in: password, second factor, PIN and approval on the spot; one's own page; API tokens.

Holds the pages of signing in and out, first passwords, invitations taken up, one's factors
(`me`), the middleware that bounds what a session may do, approvals by somebody who is not signed
in where they act (`one_time_approval`), and who works at the demo house.
Uses `staff` (invitations, tablets), `attendants` (what is proved), `establishments`, `languages`,
`pseudonyms`, `web`.
Begin with `pages.SignIn` and `middleware.StandingMiddleware`. See `docs/reference/security.md`.
"""
