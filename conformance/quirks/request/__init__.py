"""Options of the request that the answer does not keep."""
