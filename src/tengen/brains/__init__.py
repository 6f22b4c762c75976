"""Brains: nets that play, in files that anyone may pass on. Nothing here needs PyTorch.

Read in this order: `info.py` (what a brain says of itself), `net.py` (running one), `runtime.py` (ONNX
Runtime without its telemetry), `graph.py` (why a stranger's net is safe), `file.py` (reading and writing),
`store.py` (the brains on this machine).
"""
