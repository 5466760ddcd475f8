import type { JsonFault } from '@alas-jssp/core/json-fault';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { findReferenceFaults } from './reference-faults.js';
import { findMember } from './schema-member.js';
import type { Tool, ToolCatalogue } from './tool.js';

type DeclaredEffect = Tool['records'][number];

/** Lists the mistakes of what tools say about records. */
export function findRecordFaults({ tools, trial }: ToolCatalogue): JsonFault[] {
  const kinds = fieldsByKind(tools, trial);
  return tools.flatMap((tool, index) =>
    tool.records.flatMap((effect, position) => {
      const path = ['tools', index, 'records', position];
      return [
        ...findKindFaults(effect, path, kinds),
        ...findAccessFaults(tool, effect, path),
        ...findIdFaults(tool, effect, path),
        ...findSetFaults(tool, effect, path),
        ...findReturnFaults(tool, effect, path, kinds),
      ];
    }),
  );
}

/** The fields that records of each kind may have: of trials, and those that tools set. Only known kinds are listed. */
function fieldsByKind(
  tools: readonly Tool[],
  trial: ToolCatalogue['trial'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  const add = (kind: string, fields: readonly string[]) =>
    kinds.set(kind, new Set([...(kinds.get(kind) ?? ['id']), ...fields]));
  for (const [kind, records] of Object.entries(trial)) {
    if (records.length > 0) add(kind, records.flatMap(Object.keys));
  }
  const effects = tools.flatMap(({ records, input }) =>
    records.map((effect) => ({ ...effect, input })),
  );
  for (const { does, record, set, input } of effects) {
    if (does !== 'create') continue;
    const inputs = isObject(input.properties) ? Object.keys(input.properties) : [];
    add(record, set === undefined ? inputs : Object.keys(set));
  }
  for (const { does, record, set = {} } of effects) {
    if (does === 'update' && kinds.has(record)) add(record, Object.keys(set));
  }
  return kinds;
}

function findKindFaults(
  { record }: DeclaredEffect,
  path: JsonPath,
  kinds: ReadonlyMap<string, unknown>,
): JsonFault[] {
  if (kinds.has(record)) return [];
  const names = [...kinds.keys()];
  const add = `add one to $.trial.${record}, or a tool that creates it`;
  const hint = names.length === 0 ? add : `${suggestNames(record, names)} Or ${add}`;
  const problem = `there is no record of the kind ${JSON.stringify(record)}, and no tool creates one`;
  return [{ path: [...path, 'record'], problem, hint, found: record }];
}

function findAccessFaults(
  { access, name }: Tool,
  { does }: DeclaredEffect,
  path: JsonPath,
): JsonFault[] {
  if (access !== 'read' || does === 'read') return [];
  const problem = `the tool ${name} with the access read does ${does}`;
  const hint = 'give the tool the access change or irreversible';
  return [{ path: [...path, 'does'], problem, hint, found: does }];
}

function findIdFaults(tool: Tool, { does, id }: DeclaredEffect, path: JsonPath): JsonFault[] {
  const place = [...path, 'id'];
  if (does !== 'create' && id.startsWith('output.')) {
    const problem = `the record to ${does} is named by ${JSON.stringify(id)}, which the call makes`;
    return [{ path: place, problem, hint: 'give input.KEY', found: id }];
  }
  return findReferenceFaults(tool, id, place, does === 'create' ? ['input', 'output'] : ['input']);
}

function findSetFaults(tool: Tool, { does, set }: DeclaredEffect, path: JsonPath): JsonFault[] {
  const place = [...path, 'set'];
  const fault = (problem: string, hint: string, at = place) => [
    { path: at, problem, hint, found: set },
  ];
  if (does === 'update' && Object.keys(set ?? {}).length === 0) {
    return fault('the update sets no field', 'give the fields that it sets');
  }
  if ((does === 'read' || does === 'delete') && set !== undefined) {
    return fault(`a ${does} sets nothing`, 'leave it out');
  }
  return Object.entries(set ?? {}).flatMap(([field, source]) => {
    const at = [...place, field];
    if (field === 'id') return fault('the id of a record does not change', 'leave it out', at);
    return typeof source === 'string'
      ? findReferenceFaults(tool, source, at, ['input', 'output'])
      : [];
  });
}

function findReturnFaults(
  tool: Tool,
  { does, record, returns = {} }: DeclaredEffect,
  path: JsonPath,
  kinds: ReadonlyMap<string, ReadonlySet<string>>,
): JsonFault[] {
  const known = kinds.get(record);
  const whens = does === 'create' ? ['now'] : does === 'delete' ? ['before'] : ['before', 'now'];
  return Object.entries(returns).flatMap(([key, source]) => {
    const place = [...path, 'returns', key];
    const fault = (problem: string, hint: string) => [
      { path: place, problem, hint, found: source },
    ];
    if (findMember(tool.output, [key]) === 'absent') {
      return fault(
        `the output of the tool ${tool.name} has no ${key}`,
        `give the output schema the member ${key}`,
      );
    }
    const [when, field] = source.split('.');
    if (!whens.includes(when)) {
      const hint = `give ${whens.map((one) => `${one}.FIELD`).join(' or ')}`;
      return fault(`this is ${JSON.stringify(source)} of a ${does}`, hint);
    }
    if (field === undefined || known === undefined || known.has(field)) return [];
    const hint = suggestNames(field, [...known]);
    return fault(`no ${record} has a field ${JSON.stringify(field)}`, hint);
  });
}
