"""
The controls that the house claims, each with the test that last showed it.

Holds functions that read `docs/reference/controls.md` and the last test run, and one page. It is
about the program as a whole, and has no rows and no API.
Uses `engine` and `web`.
Begin with `queries.read_controls`.
"""
