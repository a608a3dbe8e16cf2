"""Plants small mistakes in the sources and tells which of them no test sees. Run as `make mutate`."""
