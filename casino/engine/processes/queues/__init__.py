"""Wakes for workers, the queues of a house, the broker's address, and the subscriber ``house``."""
