"""The table screen: pages for the laptop or television at the table, and for the players' phones."""
