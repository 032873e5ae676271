"""
Replicas: streaming standbys of the house's server, from which pages that only read may be read.

What is read there is declared (`from_replica=True`); nothing that decides, writes or shows the
live floor is. Nobody sees less than they did or saw: a browser holds the position of the database
as of its last answer, and a page comes from a replica only if that has replayed so much
(docs/decisions/0092, docs/scale/replicas.md).

Begin with `place`: `page` and `step` read from a replica where one may be read, `on_primary` leaves
it for a moment. `reading` does so, `choice` has the rules, `servers` asks the servers, `position`
says what a position is, `middleware` tells it to the browser.
"""
