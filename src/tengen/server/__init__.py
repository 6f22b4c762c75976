"""The server: HTTP, WebSocket, store, fan-out. `protocol` is all that a client needs to know."""
