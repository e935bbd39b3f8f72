"""Training of our networks (`faces`, `headgear`, `tongue`), and the laboratory (`evaluate`, `bench`)."""
