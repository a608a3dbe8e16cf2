"""Compares every sample of every op card with PyTorch, or with a NumPy formula where PyTorch has no peer.

`make peers` runs it on what build/asg_samples writes; see docs/peers.md for the result.
"""
