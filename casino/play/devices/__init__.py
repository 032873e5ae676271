"""
Which device records a game, what each device sent and in which order, and what came too late.

Holds recording leases (``lease/<game>``), the numbers that devices sent or skipped, late entries
and gaps (``late/<game>``), heartbeats, and the page where a supervisor deals with late entries and
gaps (E5). Shared tablets that take a PIN, and the program that a tablet runs alone, are in rooms
above.
Uses `core`, `settlement`, `approvals`, `acts`, `attendants`, `game_streams`, `presenters`,
`establishments`, `pseudonyms`, `web`.
Begin with `entries.put` (what a tablet sends), then `leases` and `late`. See
`docs/reference/devices.md`.
"""
