"""
The technical ground of all districts: processes, databases, queues, logs, many servers.

`processes` start, stop and find files; `databases` are Django's backends and keys within a house;
`logs` writes log lines; `scale` is for more servers than one, and a house that never grows never
meets it.
Uses no other district, only `ledger` and libraries. Begin with `processes.registrations` and
`processes.queues.waking`.
"""
