"""
What every room stands on and no person talks about: processes, files, logs, database drivers.

Holds the database backends (`sqlite/`, `postgresql/`), logging, the work queue's wakes
(`waking`), the subscriber ``house`` to which rooms register their projections (`house_subscriber`),
what apps bring to others' lists (`registrations`), and small things: names that people may type,
look-alike letters, paths, the version.
Uses no other room, only `ledger` and libraries.
Begin with `registrations` and `house_subscriber`: that is how rooms plug into each other.
"""
