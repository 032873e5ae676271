"""
What attendants, players and guests see: tables, players, wall boards, guests' pages, tablets.

`tables` are the attendants' pages, `board` draws one table, `offline` is what a tablet runs alone;
`players` are known players, their scoreboard and the waiting list; `wall` and `guests` are public.
Uses `settings`, `proof`, `money`, `play` and what is below. Begin with `tables.views`.
"""
