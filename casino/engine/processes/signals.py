"""
What rooms tell those above them; a module of its own, so that who listens imports no more.

`performed` is sent after an act was appended, with `establishment` (UUID) and `position` of its
last event. `played` is sent after commands were put to a game, with `establishment`; it wakes the
workers. `answered` is sent once the ledger has an answer to a command, with its `kind` and whether
it was `refused` or `repeated`; `unreached` when a connection could not be made, with the `service`.
Only metrics listen to these two.
"""

from django.dispatch import Signal

performed = Signal()
played = Signal()
answered = Signal()
unreached = Signal()
