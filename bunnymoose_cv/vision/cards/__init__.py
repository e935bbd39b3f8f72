"""Cards on the table: image → places → rectified crops → faces, each an identifier without meaning here."""
