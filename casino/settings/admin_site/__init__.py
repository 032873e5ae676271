"""
Django's admin in the house's look: the house's things can be changed, games and ledger only read.

Holds the admin site and who may open it (`site`), its look (`theme`), and its pages (`admin`):
what is changed through operations that leave an event, and what is only read.
Uses `staff`, `dice`, `home_throws`, `core`, `settlement`, `acts`, `attendants`,
`establishments`, `presenters`, `pseudonyms`, `web`.
Begin with `admin.HouseAdmin`.
"""
