"""The referee: one judged moment, the round, the dealer, the script of an evening, and their JSON."""
