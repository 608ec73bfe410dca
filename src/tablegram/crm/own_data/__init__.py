"""What a person is owed of their data: to see it, and to have it erased."""
