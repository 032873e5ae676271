"""
Replicas: streaming standbys of the house's server, from which pages that only read may be read.

What is read there is declared (`from_replica=True`); nothing that decides, writes or shows the
live floor is. Nobody sees less than they did or saw: a browser holds the position of the database
as of its last answer, and a page comes from a replica only if that has replayed so much
(docs/decisions/0092, docs/scale/replicas.md).

Begin with `place`: `page` and `step` read from a replica where one may be read, `on_primary` leaves
it for a moment. `reading` does so, `servers` asks the servers how far they are and has the
rules of what is read where, `middleware` tells the position to the browser.
"""
