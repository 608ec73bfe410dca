"""What pages of every area are made of: forms, lists, charts, marks, reasons in words."""
