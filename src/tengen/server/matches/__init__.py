"""Live matches: `hub` is the one way a match changes, `room` is one in memory, `sockets` talks to clients,
`engines` fills machine seats, `keeper` minds the clocks and outages."""
