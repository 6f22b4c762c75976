"""The server, by folder: `store` (databases), `matches` (what is live), `http` (what is asked once).

`protocol` is all that a client needs to know; `app` puts the parts together and `serve` runs them.
"""
