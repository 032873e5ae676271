"""
Distribution of a database over many servers, by house, with Citus (docs/scale/distribution.md).

Citus is a server's extension beside us: nothing of it is imported. `operations` reads what is
placed where, distributes and takes it back; `moves` moves a house from one server to another.
"""
