"""
How the program is put together: settings, all addresses, web server, workers, beat.

Holds the settings (from the environment alone), the list of all addresses (`urls`: each room's
`pages` and `api`), the apps, what rooms add to lists of other rooms (`parts`), the sections of the
office, Celery and its broker, the house in one process (`embedded`) or in many, security headers,
and answers to requests that fail (`failures`).
May use every room: this is the top layer, and no other room imports it.
Begin with `settings`, `urls` and `sections`; to run the house, `management/commands/up.py`.
`docs/how-to/production.md` describes every variable.
"""
