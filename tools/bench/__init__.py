"""Compares whole steps of ASG with PyTorch, ONNX Runtime and the limit of the machine: python3 -m bench BUILD."""
