"""
Verifies a house's ledger: compares everything that is stored with the bodies and signatures.

Each check is a generator of steps over a `Book`, on a connection that only reads. A step is short,
holds no lock, and says where the next one begins. So a check may be stopped after any step and
continued elsewhere. Only one chunk is in memory at a time.
"""
