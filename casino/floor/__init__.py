"""
What attendants, players and guests see: tables, players, wall boards, guests' pages, tablets.

`tables` are the attendants' pages and what a tablet runs alone; `players` are known players, their
scoreboard and the waiting list; `guests` are the public pages and the boards on the wall.
Uses `settings`, `proof`, `money`, `play` and what is below. Begin with `tables.views`.
"""
