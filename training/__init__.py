"""Tools that make the models; the product imports nothing from here."""
