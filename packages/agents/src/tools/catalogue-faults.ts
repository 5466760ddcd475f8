import type { JsonFault } from '@alas-jssp/core/json-fault';
import type { JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json } from '@alas-jssp/workflow';
import { findInverseFaults } from './inverse-faults.js';
import { findRecordFaults } from './record-faults.js';
import { findSchemaMistakes } from './schema-faults.js';
import type { Tool, ToolCatalogue } from './tool.js';
import { violationsOf } from './tool-checks.js';

function faultAt(path: JsonPath, problem: string, hint: string, found?: unknown): JsonFault {
  return { path, problem, hint, found };
}

/**
 * Lists the mistakes of a catalogue that its form does not show: duplicate names, schemas that are none, references that
 * cannot exist, records of unknown kinds, and inverses that cannot be called.
 */
export function findCatalogueFaults(catalogue: ToolCatalogue): JsonFault[] {
  const { tools } = catalogue;
  const schemaFaults = tools.flatMap(findSchemaFaults);
  // References are looked up in the schemas.
  if (schemaFaults.length > 0) return schemaFaults;
  return [
    ...findDuplicates(tools),
    ...tools.flatMap(findExampleFaults),
    ...findRecordFaults(catalogue),
    ...findInverseFaults(catalogue),
    ...findTrialFaults(catalogue),
  ];
}

function findDuplicates(tools: readonly Tool[]): JsonFault[] {
  return tools.flatMap(({ name }, index) => {
    const first = tools.findIndex((tool) => tool.name === name);
    if (first === index) return [];
    const problem = `the tool $.tools[${first}] has the name ${JSON.stringify(name)}, too`;
    return [faultAt(['tools', index, 'name'], problem, 'give each tool a name of its own', name)];
  });
}

function findSchemaFaults(tool: Tool, index: number): JsonFault[] {
  return (['input', 'output'] as const).flatMap((part) => {
    const path = ['tools', index, part];
    const schema = tool[part];
    const faults = findSchemaMistakes(schema, path);
    const { type = 'object' } = schema;
    if (faults.length > 0 || type === 'object') return faults;
    const problem = `the type is ${JSON.stringify(type)}`;
    return [faultAt(path, problem, 'give a JSON Schema of an object', schema)];
  });
}

function findExampleFaults({ examples, output }: Tool, index: number): JsonFault[] {
  return examples.flatMap((example, position) => {
    const [violation] = violationsOf(output, example as Json);
    if (violation === undefined) return [];
    const path = ['tools', index, 'examples', position];
    const problem = `the example does not match the output schema: ${violation}`;
    return [faultAt(path, problem, 'give an output of the tool', example)];
  });
}

function findTrialFaults({ tools, trial }: ToolCatalogue): JsonFault[] {
  const named = new Set(tools.flatMap(({ records }) => records.map(({ record }) => record)));
  return Object.entries(trial).flatMap(([kind, records]) => {
    if (!named.has(kind)) {
      const hint = named.size === 0 ? 'leave it out' : suggestNames(kind, [...named]);
      const problem = `no tool has records of the kind ${JSON.stringify(kind)}`;
      return [faultAt(['trial', kind], problem, hint, kind)];
    }
    const ids = records.map(({ id }) => id);
    return ids.flatMap((id, index) =>
      ids.indexOf(id) === index
        ? []
        : [
            faultAt(
              ['trial', kind, index, 'id'],
              `there is a ${kind} ${id} already`,
              'give each record an id of its own',
              id,
            ),
          ],
    );
  });
}
