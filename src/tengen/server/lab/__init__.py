"""The Lab behind the HTTP API: brains that can be played, kept and compared (`brains`), and training runs
(`training`). Everything here reads and writes files: call it from a thread.
"""
