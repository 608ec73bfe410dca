from tests.storage.statements import every_statement_names_its_account

__all__ = ["every_statement_names_its_account"]
