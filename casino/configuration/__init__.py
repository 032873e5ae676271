"""
Settings of a house: what it decides for itself, changed at once or once two have agreed (C2).

Holds one change whatever the thing (`operations.put`), requests in words (`descriptions`), the
change log, forms, pages and API for the house, its tables, dice, prizes, rules and home throws.
The things' own rows are in `establishments`, `dice`, `settlement` and `home_throws`; setting up a
new house is `onboarding`.
Uses `integrity`, `play`, `settlement`, `dice`, `house_rules`, `home_throws`, `approvals`,
`operations`, `presenters`, `web` and base rooms.
Begin with `operations.put`, then `things_pages`. See `docs/reference/configuration.md`.
"""
