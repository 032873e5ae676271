"""
Partitions of the tables that only grow, by house and by position (docs/scale/partitions.md).

`operations` says which tables, and how they are now, partitions them and takes it back;
`pieces` keeps a piece ahead of every head and moves old ones to slower storage and back.
"""
