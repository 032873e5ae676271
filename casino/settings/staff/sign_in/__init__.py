"""
Signing in: password, second factor, PIN, one-time approval; the page of one's own sign-in; tokens.

Holds the pages of signing in and out, first passwords, accepting invitations, one's own factors
(`me`), the middleware that limits what a session may do, approvals by somebody who is not signed in
on the device (`one_time_approval`), and who works at the demo house.
Uses `staff` (invitations, tablets), `attendants` (passwords, factors, lockouts), `establishments`,
`languages`, `pseudonyms`, `web`.
Begin with `pages.SignIn` and `middleware.AssuranceMiddleware`. See `docs/reference/security.md`.
"""
