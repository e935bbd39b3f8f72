"""Prior of players' calibrations: takes by person → spread between people, and what a calibration is worth."""
