"""
Gaming days: closing, freezing, signing, and late entries (B4, E3).

Holds closing a day, its figures folded from events (`figures`), freezing it once settlement has
booked it (`closing`), its sheet, the second signature, late entries, pages, API and tasks.
`establishments.gaming_day`, in a lower room, decides which day an entry belongs to.
Uses `health`, `signing`, `disputes`, `cash`, `subscriptions`, `core`, `settlement`, `custody`,
`approvals`, `acts`, `game_streams`, `presenters`, `web` and base rooms.
Begin with `closing.close` and `queries.state`. See docs/decisions/0022.
"""
