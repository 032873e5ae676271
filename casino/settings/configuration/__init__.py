"""
The settings of a house: they change at once, or once two people have agreed (C2).

Holds the change of any thing (`operations.put`), requests in words (`descriptions`), the change
log, and forms, pages and API for the house, its tables, dice, prizes, rules and home throws. The
things' own rows are in `establishments`, `dice`, `settlement` and `home_throws`; setting up a new
house is a room above.
Uses `core`, `settlement`, `dice`, `house_rules`, `home_throws`, `approvals`, `acts`, `presenters`,
`web` and base rooms.
Begin with `operations.put`, then `pages`. See `docs/reference/configuration.md`.
"""
