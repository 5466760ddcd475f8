"""Binds JSONata of moto, which is meant for a Java library that moto does not bring, to jsonata-python."""

import json

from jsonata.jsonata import Jsonata
from pinned import require_original

ORIGINAL = "a477b9e3995ca2a2360ed22c5c3f22a5562d9224ae46b514639ee3d041e274ac"

asl = require_original("moto.stepfunctions.parser.asl.jsonata.jsonata", ORIGINAL)


def evaluate(expression):
    """The value of an expression as plain data; None for null and for nothing, which moto tells apart itself."""
    try:
        return json.loads(json.dumps(Jsonata(expression).evaluate(None)))
    except Exception as error:
        raise asl.JSONataException("UNKNOWN", str(error)) from error


def apply():
    asl._eval_jsonata = evaluate
    seen = asl.eval_jsonata_expression('($a:={"b":[1,2,null]};{"sum":$sum($a.b[$type($)="number"]),"none":null})')
    if seen != {"sum": 3, "none": None}:
        raise SystemExit(f"JSONata is not bound: the example gives {seen}")
