import os

from tests.scale.citus import cluster

collect_ignore_glob = [] if os.environ.get(cluster.WORKERS) else ["test_*.py"]
