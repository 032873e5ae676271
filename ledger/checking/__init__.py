"""
Checks of a house's book: all that is stored, held against what the bodies and signatures say.

Each check is a generator of steps over a `Book`, on a connection that only reads. A step is short,
holds no lock, and says where the next one begins: a check may be ended after any of them and gone
on with elsewhere. In memory is one chunk at a time.
"""
