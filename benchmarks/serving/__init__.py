"""What the benches of the server share: real server processes, scripted games, clients, and the final check.

`processes` starts `tengen serve`; `games` has the moves that are played; `wire` is a lean socket for many
clients in one process; `proxy` is a bad network; `ledger` compares what was acknowledged with what is stored.
"""
