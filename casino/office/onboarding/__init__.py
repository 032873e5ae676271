"""
New houses: founded by a link, set up step by step, with lists imported from files.

Holds the link that founds a house (`links`, `operations`), the page of each step (`pages`), CSV
lists of tables and staff, which are previewed and then carried out as a whole, and `manage.py
setup`. Later changes are in `configuration` and `staff`.
Uses `sign_in`, `staff`, `configuration`, `house_rules`, `home_throws`, `dice`, `acts`,
`presenters`, `attendants`, `establishments`, `web`.
Begin with `operations.create_house` and `pages.step`. See `docs/reference/configuration.md`.
"""
