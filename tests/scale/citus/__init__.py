"""
A house on Citus: the database over several servers, distributed by house.

Citus is not part of the project (it is a server's extension under the AGPL). `build` makes it from
its public source once a machine, `cluster` starts its servers.
"""
