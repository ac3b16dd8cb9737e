"""Planning, driving and recording runs: providers × models × scenarios × modes, one run record at the end."""
