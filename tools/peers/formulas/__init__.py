"""Independent NumPy formulas of what PyTorch has no peer for: whole ops, or samples that it refuses. Gradients come by
complex steps, so conditions look at the real part only."""
