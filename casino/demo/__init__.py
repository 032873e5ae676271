"""A house to look at: made through the operations, played through the API like any other."""
