"""Writes web/src/protocol.ts from the protocol and the games' details, or with --check says if it is current.

Reads the source of protocol.py for names, order, docstrings and comments, and asks msgspec for what the
source does not say plainly: tags and renamed fields. A field with a default may be left out of what only
clients send; the server always sends every field.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
from pathlib import Path
from typing import get_args

import msgspec

from tengen.game import OptionValue
from tengen.server import protocol

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tengen" / "server" / "protocol.py"
DETAILS = sorted((ROOT / "src" / "tengen" / "games").glob("*/details.py"))
TARGET = ROOT / "web" / "src" / "protocol.ts"
HEADER = "// Generated from src/tengen/server/protocol.py by tools/protocol_ts.py; change it there.\n"
REQUESTS = (
    "FromClient",
    "NewMatch",
    "Join",
    "AnalysisRequest",
    "ReviewRequest",
    "Exploration",
    "TurningRequest",
    "Import",
    "NewRun",
    "RunWish",
)
BASES = ("Noun", "Message")
PLAIN = {
    "str": "string",
    "bytes": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "Any": "unknown",
}


def comments(source: str) -> dict[int, str]:
    """The text of each comment, by line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string[1:].strip() for token in tokens if token.type == tokenize.COMMENT}


def typescript(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=None):
            return "null"
        case ast.Constant(value=value):
            return json.dumps(value)
        case ast.Name(id=name):
            return PLAIN.get(name, name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{typescript(left)} | {typescript(right)}"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return " | ".join(map(typescript, elements(inner)))
        case ast.Subscript(value=ast.Name(id="list"), slice=inner):
            item = typescript(inner)
            return f"({item})[]" if " | " in item else f"{item}[]"
        case ast.Subscript(value=ast.Name(id="tuple"), slice=inner):
            return f"[{', '.join(map(typescript, elements(inner)))}]"
        case ast.Subscript(value=ast.Name(id="dict"), slice=inner):
            return f"Record<{', '.join(map(typescript, elements(inner)))}>"
    raise ValueError(f"no TypeScript is known for {ast.unparse(node)}")


def elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def mentions(tree: ast.Module) -> dict[str, set[str]]:
    """By definition, the names in its annotations or, for an alias, in its value."""
    found: dict[str, set[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            parts: list[ast.AST] = [line.annotation for line in node.body if isinstance(line, ast.AnnAssign)]
            found[node.name] = names(parts)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = names([node.value])
    return found


def names(nodes: list[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def only_sent(tree: ast.Module) -> set[str]:
    """What is part of a request and of nothing else."""
    uses = mentions(tree)

    def reachable(roots: set[str]) -> set[str]:
        seen: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name in uses and name not in seen:
                seen.add(name)
                waiting.extend(uses[name])
        return seen

    sent = reachable(set(REQUESTS))
    return sent - reachable(set(uses) - sent)


def remark(text: str | None, indent: str = "") -> list[str]:
    if not text:
        return []
    lines = text.strip().splitlines()
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line.strip()}".rstrip() for line in lines), f"{indent} */"]


def structure(node: ast.ClassDef, remarks: dict[int, str], lenient: bool) -> list[str]:
    kind = getattr(protocol, node.name)
    config = kind.__struct_config__
    renamed = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    body = [] if config.tag is None else [f"  {config.tag_field}: {json.dumps(config.tag)};"]
    for line in node.body:
        if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
            continue
        mark = "?" if lenient and line.value is not None else ""
        comment = f" // {remarks[line.lineno]}" if line.lineno in remarks else ""
        body.append(f"  {renamed[line.target.id]}{mark}: {typescript(line.annotation)};{comment}")
    return [*remark(ast.get_docstring(node)), f"export type {node.name} = {{", *body, "};"]


def details(path: Path) -> list[str]:
    """The dictionaries that a game's own part of a view is made of."""
    source = path.read_text()
    remarks = comments(source)
    found: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            fields = [
                (line.target.id, line.annotation, remarks.get(line.lineno))
                for line in node.body
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
            ]
            found += ["", *remark(ast.get_docstring(node)), *dictionary(node.name, fields)]
        elif isinstance(node, ast.Assign) and isinstance(name := node.targets[0], ast.Name):
            if isinstance(node.value, ast.Call) and isinstance(keys := node.value.args[1], ast.Dict):
                named = zip(keys.keys, keys.values, strict=True)
                fields = [
                    (str(key.value), kind, None) for key, kind in named if isinstance(key, ast.Constant)
                ]
                found += ["", *dictionary(name.id, fields)]
            else:
                found += ["", *alias(name.id, node.value, remarks)]
    return found


def dictionary(name: str, fields: list[tuple[str, ast.expr, str | None]]) -> list[str]:
    body = [
        f"  {key}: {typescript(kind)};" + (f" // {comment}" if comment else "")
        for key, kind, comment in fields
    ]
    return [f"export type {name} = {{", *body, "};"]


def alias(name: str, value: ast.expr, remarks: dict[int, str]) -> list[str]:
    if isinstance(value, ast.Subscript) and any(item.lineno in remarks for item in elements(value.slice)):
        lines = [f"export type {name} ="]
        for item in elements(value.slice):
            comment = f" // {remarks[item.lineno]}" if item.lineno in remarks else ""
            lines.append(f"  | {typescript(item)}{comment}")
        lines[-1] = lines[-1].replace(" //", "; //", 1) if " //" in lines[-1] else lines[-1] + ";"
        return lines
    return [f"export type {name} = {typescript(value)};"]


def constant(name: str) -> list[str]:
    return [f"export const {name} = {getattr(protocol, name)};"]


def generate() -> str:
    source = SOURCE.read_text()
    tree = ast.parse(source)
    remarks = comments(source)
    lenient = only_sent(tree)
    options = sorted(
        {"null" if kind is type(None) else PLAIN[kind.__name__] for kind in get_args(OptionValue)}
    )
    blocks: list[tuple[int, list[str]]] = [(0, [f"export type OptionValue = {' | '.join(options)};"])]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name not in BASES:
            blocks.append((node.lineno, ["", *structure(node, remarks, node.name in lenient)]))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            plain = isinstance(getattr(protocol, name), int)
            lines = constant(name) if plain else ["", *alias(name, node.value, remarks)]
            blocks.append((node.lineno, lines))
    texts = source.splitlines()
    own_lines = [number for number in remarks if texts[number - 1].startswith("#")]
    blocks += [(number, ["", f"// {remarks[number]}"]) for number in own_lines]
    blocks.sort(key=lambda block: block[0])
    body = [line for _, lines in blocks for line in lines]
    body += ["", "// What games tell of a position beside its board: `View.details`"]
    body += [line for path in DETAILS for line in details(path)]
    return "\n".join([HEADER.rstrip(), *remark(ast.get_docstring(tree)), "", *body]) + "\n"


def main() -> int:
    text = generate()
    if "--check" not in sys.argv:
        TARGET.write_text(text)
        return 0
    if TARGET.exists() and TARGET.read_text() == text:
        return 0
    message = "web/src/protocol.ts does not fit protocol.py; run `.venv/bin/python tools/protocol_ts.py`."
    print(message, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
