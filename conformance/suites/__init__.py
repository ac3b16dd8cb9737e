"""The suites: one pytest item per cell. Run them with `conformance run`, or with pytest and `--provider NAME`."""
