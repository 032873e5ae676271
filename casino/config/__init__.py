"""
How the program is put together: settings, all addresses, web server, workers, beat.

Holds the settings (from the environment alone), the one list of addresses (`urls`: each room's
`pages` and `api`), the office's sections, Celery and its broker, the house in one process
(`embedded`) or many, security headers, and what is answered when the book cannot be written.
May use every room: it is the top, and no other room imports it.
Begin with `settings`, `urls` and `sections`; to run it, `management/commands/up.py`.
`docs/how-to/production.md` has every variable.
"""
