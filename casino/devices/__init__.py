"""Which device records a game, what each device sent and in which order, and what came too late."""
