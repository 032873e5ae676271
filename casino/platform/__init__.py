"""
The technical ground of all rooms: processes, files, logs, database drivers.

Holds the database backends (`sqlite/`, `postgresql/`), logging, the wakes of the work queues
(`waking`), the subscriber ``house``, with which rooms register their projections
(`house_subscriber`), what apps add to lists of other apps (`registrations`), and small things:
names that people may type, look-alike letters, paths, the version.
Uses no other room, only `ledger` and libraries.
Begin with `registrations` and `house_subscriber`: they are how rooms plug into each other.
"""
