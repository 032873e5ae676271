"""
How a game is played: commands, settlement, dice, devices that record, and who may not play.

`core` decides a command, records it, and lets workers read the ledger; `settlement` books what it
owes and what a pot leaves; `devices` are the tablets that record; `dice` are the sets, with what
they throw and what they should; `exclusions` keeps people out.
Uses `kit`, `house`, `words`, `engine`. Begin with `core.operations.command`.
"""
