"""Tables in the terminal: judgements, rounds, scores, shares of an evaluation."""
