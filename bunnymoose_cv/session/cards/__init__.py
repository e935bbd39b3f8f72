"""Cards of a table by camera: photographs, reader, laid cards, enrolment."""
