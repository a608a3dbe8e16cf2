"""The models of the zoo beside torchvision and plain PyTorch."""
