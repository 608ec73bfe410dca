"""What the framework is told of our types when it draws the document: their names, and nothing more.

What they are made of is said by msgspec itself (`types.py`); the framework would find it out again, field by field, and that
takes longer than all the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litestar.plugins import OpenAPISchemaPlugin
from msgspec import Struct

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator
    from litestar.openapi.spec import Schema
    from litestar.typing import FieldDefinition


class NamesAlone(OpenAPISchemaPlugin):
    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return not field_definition.is_union and field_definition.is_subclass_of(Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        return schema_creator.create_component_schema(field_definition, required=[], property_fields={})
