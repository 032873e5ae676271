"""Finding what happened: rounds, events, how things stood, where a pot's coins came from."""
