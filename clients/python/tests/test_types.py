"""The types of answers have the keys of the OpenAPI document that the engine serves."""

from __future__ import annotations

from typing import Any, Dict

import pytest

import alas_jssp
from alas_jssp import service

NAMES = {
    "Validation": "Validation",
    "Repair": "Repair",
    "Optimization": "Optimization",
    "Explanation": "Explanation",
    "Progress": "Progress",
    "Benchmark": "Benchmark",
    "Operation": "Operation",
    "Move": "Move",
    "Clamped": "ClampedSetting",
    "Outcome": "Outcome",
}


@pytest.fixture(scope="module")
def schemas(engine: alas_jssp.Engine) -> Dict[str, Any]:
    document = engine.service.request("GET", "/openapi.json")
    found: Dict[str, Any] = document["components"]["schemas"]
    return found


@pytest.mark.parametrize("name, schema", NAMES.items())
def test_keys_and_required_keys(name: str, schema: str, schemas: Dict[str, Any]) -> None:
    kind = getattr(service, name)
    assert set(kind.__annotations__) == set(schemas[schema]["properties"])
    if hasattr(kind, "__required_keys__"):
        assert kind.__required_keys__ == set(schemas[schema]["required"])


def test_parts_of_answers(schemas: Dict[str, Any]) -> None:
    cause = schemas["Validation"]["properties"]["causes"]["items"]
    assert set(service.Cause.__annotations__) == set(cause["properties"])
    pin = schemas["Repair"]["properties"]["lost_pins"]["items"]
    assert set(service.LostPin.__annotations__) == set(pin["properties"])
