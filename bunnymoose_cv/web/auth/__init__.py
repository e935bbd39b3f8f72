"""Access: who may see and press what."""
