"""A dump of a database with a game in it for every schema that was released, as SQLite wrote it then.

`python -m tests.server.schemas` adds the dump of the present schema where it is new; old ones stay.
"""
