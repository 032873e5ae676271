"""
The office's settings: the house, the people who work in it, signing in, and Django's admin.

`configuration` changes a house's own things, by two people where the house wants it; `staff`
appoints people and lets them in; `admin_site` shows every row.
Uses `money`, `play`, `kit` and what is below.
Begin with `configuration.operations`.
"""
