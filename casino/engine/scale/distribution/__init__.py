"""
Distribution of a database over many servers, by house, with Citus (docs/scale/distribution.md).

Citus is a server's extension beside us: nothing of it is imported. `plan` reads what is placed
where, `removed` keeps what has to be off a table while its rows move, `operations` distributes and
takes it back, `moves` moves a house from one server to another.
"""
