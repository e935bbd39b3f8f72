"""Running evening: an actor thread with a command queue, video sources, services, and published state snapshots."""
