"""An evening as it is lived: people, cues, camera, dealer and voice meet in one loop; everybody sees what stands."""
