"""Training: runs that outlive the program that started them, and the algorithms that learn in them.

Start reading at `runs`, what a run is on disk and how one is started, watched and stopped. `__main__` is the
process that trains; it calls `train` of the module that the run names: `gumbel`, `dqn` or `duel`. PyTorch is
imported only there.
"""
