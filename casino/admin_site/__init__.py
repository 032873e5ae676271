"""
Django's admin in the house's look: the house's things to change, games and the ledger to read.

Holds the admin's door (`site`), its look (`theme`), and its pages (`admin/`): what goes through
operations that leave an event (`admin.house`), and what is only read (`admin.read_only`).
Uses `staff`, `dice`, `home_throws`, `play`, `settlement`, `operations`, `attendants`,
`establishments`, `presenters`, `pseudonyms`, `web`.
Begin with `admin.base.HouseAdmin`.
"""
