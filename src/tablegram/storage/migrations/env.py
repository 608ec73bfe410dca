"""Alembic's entry point: runs on the connection that `tablegram.storage.migrate` hands over."""

from alembic import context

from tablegram.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
