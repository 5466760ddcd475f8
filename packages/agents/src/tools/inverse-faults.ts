import type { JsonFault } from '@alas-jssp/core/json-fault';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json } from '@alas-jssp/workflow';
import { findReferenceFaults } from './reference-faults.js';
import { findMember } from './schema-member.js';
import type { Tool, ToolCatalogue } from './tool.js';
import { violationsOf } from './tool-checks.js';

/** Lists the mistakes of declared undos: tools that do not exist or change nothing, inputs that lack or do not exist. */
export function findInverseFaults({ tools }: ToolCatalogue): JsonFault[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return tools.flatMap((tool, index) => {
    if (tool.inverse === undefined) return [];
    const path = ['tools', index, 'inverse'];
    if (tool.access !== 'change') {
      const problem = `a tool with the access ${tool.access} has no undo`;
      return [
        { path, problem, hint: 'leave it out, or give the access change', found: tool.access },
      ];
    }
    const undo = byName.get(tool.inverse.tool);
    if (undo === undefined) return [unknownTool(tool.inverse.tool, path, [...byName.keys()])];
    return [...findAccessFault(undo, path), ...findInputFaults(tool, undo, [...path, 'input'])];
  });
}

function unknownTool(name: string, path: JsonPath, names: readonly string[]): JsonFault {
  return {
    path: [...path, 'tool'],
    problem: `there is no tool ${JSON.stringify(name)}`,
    hint: suggestNames(name, names),
    found: name,
  };
}

function findAccessFault({ access, name }: Tool, path: JsonPath): JsonFault[] {
  if (access !== 'read') return [];
  const problem = `the tool ${name} only reads, and undoes nothing`;
  return [{ path: [...path, 'tool'], problem, hint: 'name a tool that changes', found: name }];
}

function findInputFaults(tool: Tool, undo: Tool, path: JsonPath): JsonFault[] {
  const given = tool.inverse?.input ?? {};
  const { required } = undo.input;
  const missing = (Array.isArray(required) ? required : []).filter(
    (key) => !Object.hasOwn(given, String(key)),
  );
  const faults: JsonFault[] = missing.map((key) => ({
    path,
    problem: `the tool ${undo.name} needs the input ${key}`,
    hint: `give ${key} a source: input.KEY or output.KEY of ${tool.name}, key, or { "value": … }`,
    found: given,
  }));
  for (const [key, source] of Object.entries(given)) {
    const place = [...path, key];
    const member = findMember(undo.input, [key]);
    if (member === 'absent') {
      const known = isObject(undo.input.properties) ? Object.keys(undo.input.properties) : [];
      const hint = known.length === 0 ? 'leave it out' : suggestNames(key, known);
      const problem = `the tool ${undo.name} has no input ${JSON.stringify(key)}`;
      faults.push({ path: place, problem, hint, found: source });
    } else if (typeof source === 'string') {
      faults.push(...findReferenceFaults(tool, source, place, ['input', 'output', 'key']));
    } else if (isObject(member) && isObject(member.schema)) {
      const { $defs, definitions } = undo.input;
      const schema = { $defs, definitions, ...member.schema };
      const [violation] = violationsOf(schema, source.value as Json);
      if (violation === undefined) continue;
      const hint = `give a value that the tool ${undo.name} accepts`;
      faults.push({ path: place, problem: violation, hint, found: source.value });
    }
  }
  return faults;
}
