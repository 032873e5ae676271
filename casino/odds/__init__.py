"""The odds of every game: asked by a page, the API and the command line, answered exactly."""
