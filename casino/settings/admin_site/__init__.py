"""
Django's admin in the house's colours: the rows of one's own houses, read-only.

Holds the admin site and who may open it (`site`), and the rows that it shows (`admin`). Its colours
are in `static/css/admin.css`, its head in `templates/admin/`, where Django looks for it.
Uses `dice`, `home_throws`, `core`, `settlement`, `attendants`, `establishments`,
`presenters`, `pseudonyms`, `web`. Begin with `admin.HouseRows`.
"""
