"""
What rooms tell those above them; a module of its own, so that who listens imports no more.

`performed` is sent after an act was appended, with `establishment` (UUID) and `position` of its
last event. `played` is sent after commands were put to a game, with `establishment`; it wakes the
workers. `caught_up` is sent by a worker when all subscribers of a house have read its ledger to the
end, with `establishment`: a receiver that fails delays nobody, and nothing may depend on it.
"""

from django.dispatch import Signal

performed = Signal()
played = Signal()
caught_up = Signal()
