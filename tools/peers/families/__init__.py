"""Adapters, a file for each family of ops."""
