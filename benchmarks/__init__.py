"""Speed of tengen's engine beside other libraries. Start with README.md, then engine.py."""
