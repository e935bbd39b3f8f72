"""Commands of the pages' forms: what each does, by name, and the permission that it needs."""
