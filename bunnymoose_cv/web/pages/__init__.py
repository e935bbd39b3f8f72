"""The pages, one file each: what a visitor sees at one address."""
