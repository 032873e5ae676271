"""
How a game is played: commands, settlement, dice, devices that record, and who may not play.

`core` decides a command and records it; `settlement` books what it owes, `rollovers` what a pot
leaves; `subscriptions` lets workers read the ledger; `devices` are the tablets that record; `dice`
are the sets, `surveillance` watches what they throw, `odds` says what they should; `exclusions`
keeps people out.
Uses `kit`, `house`, `words`, `engine`. Begin with `core.operations.command`.
"""
