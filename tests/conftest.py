"""Settings for all tests."""

from hypothesis import settings

# a slow machine is no fault of the code under test: time is measured in benchmarks/
settings.register_profile("unhurried", deadline=None, print_blob=True)
settings.load_profile("unhurried")
