"""When workers and beats were last seen: the heartbeats of workers, and the lease of beat."""
