"""What subscriptions tell rooms above them."""

from django.dispatch import Signal

caught_up = Signal()
"""Sent by a worker when all subscribers of a house have read its ledger to the end, with
`establishment` (UUID). A receiver that fails delays nobody, and nothing may depend on it."""
