"""Foundation of the commands: lazy imports, option groups, loops over inputs, errors in one sentence."""
