"""
Gaming days: closed, frozen, signed, and what came late (B4, E3).

Holds closing a day, its figures folded from events (`figures`), freezing it once settlement has
come by (`freezing`), its sheet, the second signature, late entries, pages, API and tasks. Which day
an entry belongs to is decided below, in `establishments.gaming_day`.
Uses `health`, `integrity`, `disputes`, `cash`, `subscriptions`, `play`, `settlement`, `custody`,
`approvals`, `operations`, `game_streams`, `presenters`, `web` and base rooms.
Begin with `closing.close` and `queries.state`. See docs/decisions/0022.
"""
