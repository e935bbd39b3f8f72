"""Foundation of the commands: lazy imports, option groups, inputs one by one, faults as one sentence."""
