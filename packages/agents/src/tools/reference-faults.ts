import type { JsonFault } from '@alas-jssp/core/json-fault';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { nearestNames } from '@alas-jssp/core/nearest-names';
import { findMember } from './schema-member.js';
import type { Tool } from './tool.js';

/** The problem of a reference such as `input.order` to a member that the values of a schema cannot have. */
export function findReferenceFaults(
  { name, input, output }: Tool,
  reference: string,
  path: JsonPath,
  roots: readonly string[],
): JsonFault[] {
  const [root, ...keys] = reference.split('.');
  const fault = (problem: string, hint: string) => [{ path, problem, hint, found: reference }];
  if (reference === 'key' && roots.includes('key')) return [];
  const shown = roots.map((one) => (one === 'key' ? 'key' : `${one}.KEY`)).join(' or ');
  if (!roots.includes(root) || root === 'key' || keys.length === 0 || keys.includes('')) {
    return fault(`this is ${JSON.stringify(reference)}`, `give ${shown}`);
  }
  const schema = root === 'input' ? input : output;
  if (findMember(schema, keys) !== 'absent') return [];
  const known = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const nearest = nearestNames(keys.join('.'), known);
  const names = (nearest.length > 0 ? nearest : known).map((key) => `${root}.${key}`).join(', ');
  const hint =
    nearest.length > 0
      ? `did you mean ${names}?`
      : known.length > 0
        ? `use one of ${names}`
        : `give the ${root} schema this member`;
  return fault(`the ${root} of the tool ${name} has no ${keys.join('.')}`, hint);
}
