"""
The controls that the house claims, each with the test that last showed it.

Holds the reading of `docs/reference/controls.md` and of the last test run, and one page. It is
about the program as a whole; no rows, no API.
Uses `platform` and `web`.
Begin with `queries.listed`.
"""
