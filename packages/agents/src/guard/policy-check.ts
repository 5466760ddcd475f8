import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Mapping } from '../tools/tool.js';
import type { GuardedTool } from './guarded-tool.js';
import type { GuardPolicy, ToolRules } from './policy.js';

/**
 * Checks what would otherwise show in the middle of a session, or never: sources of inputs that do not
 * exist, and validators of tools that do not exist.
 *
 * @throws InputError `bad_policy`
 */
export function requireUsablePolicy(
  { validators }: GuardPolicy,
  tools: ReadonlyMap<string, GuardedTool>,
): void {
  for (const { listed, server, rules } of tools.values()) {
    if (rules !== undefined) requireSources(rules, `$.servers.${server}.tools.${listed.name}`);
  }
  for (const [index, { name, tools: meant = [] }] of validators.entries()) {
    const unknown = meant.find((tool) => !tools.has(tool));
    if (unknown === undefined) continue;
    const problem = `the validator ${name} is for ${unknown}, which no server has`;
    const path = `$.validators[${index}].tools`;
    throw new InputError('bad_policy', problem, suggestNames(unknown, [...tools.keys()]), { path });
  }
}

function requireSources({ before, check, inverse }: ToolRules, path: string): void {
  const known = ['input', 'key'];
  const kept = before === undefined ? known : [...known, 'before'];
  const found = check === undefined ? [] : ['found'];
  const mappings: readonly [string, Mapping | undefined, readonly string[]][] = [
    ['before', before?.input, known],
    ['check', check?.input, [...kept, 'output']],
    ['inverse', inverse?.input, [...kept, 'output', ...found]],
  ];
  for (const [member, mapping = {}, sources] of mappings) {
    for (const [key, source] of Object.entries(mapping)) {
      if (typeof source !== 'string' || sources.includes(source.split('.')[0] ?? '')) continue;
      const problem = `the source ${source} does not exist`;
      const place = { path: `${path}.${member}.input.${key}` };
      throw new InputError('bad_policy', problem, `begin with ${sources.join(', ')}`, place);
    }
  }
}
