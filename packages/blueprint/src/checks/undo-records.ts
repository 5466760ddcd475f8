import type { Tool } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode, Undo } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import type { DraftScope } from './scope.js';

type RecordEffect = Tool['records'][number];

/** The changes of records that undo a change, by its kind. */
const OPPOSITES: Readonly<Record<RecordEffect['does'], readonly RecordEffect['does'][]>> = {
  create: ['delete', 'update'],
  update: ['update'],
  delete: ['create', 'update'],
  read: [],
};

/**
 * Checks that an undo touches the records that the tool changed, as far as both declare their records: the same kind,
 * the same id, and the opposite change. Whether it restores the values is a matter of trials.
 */
export function checkRecords(
  scope: DraftScope,
  node: TemplateNode,
  done: Tool,
  undo: Undo,
): DraftFinding[] {
  const part = `undo/${node.id}`;
  const calls = undo.sequence.map((call) => ({ call, tool: scope.tools.get(call.tool) }));
  if (calls.every(({ tool }) => !isSameSystem(done, tool))) {
    const message = `the undo of ${done.name} calls no tool of ${done.system}`;
    const fitting = scope.catalogue.tools.filter(
      ({ system, access }) => access === 'change' && system === done.system,
    );
    const hint = `call a tool of ${done.system}: ${listNames(fitting.map(({ name }) => name))}; or give the strategy "mitigate"`;
    return [draftError('undo_of_other_system', part, ['sequence'], message, hint)];
  }
  if (calls.some(({ tool }) => tool === undefined || tool.records.length === 0)) return [];
  return done.records.flatMap((change) => {
    const opposites = OPPOSITES[change.does];
    if (opposites.length === 0) return [];
    // Systems may have records of the same kind, which are different ones.
    const own = calls.filter(({ tool }) => isSameSystem(done, tool));
    const same = own.flatMap(({ call, tool }) =>
      (tool?.records ?? [])
        .filter(({ does, record }) => record === change.record && opposites.includes(does))
        .map((record) => idOf(record, call, node)),
    );
    const changed = resolved(change.id, node);
    if (same.some((id) => id === undefined || id === changed)) return [];
    const message =
      same.length === 0
        ? `the undo never changes the ${change.record} that ${done.name} has ${PAST[change.does]}`
        : `the undo changes the ${change.record} ${listNames(same as string[])}, and ${done.name} has ${PAST[change.does]} ${change.id}`;
    const hint = `call a tool that ${opposites.map((does) => `${does}s`).join(' or ')} the ${change.record} with the id ${change.id}`;
    return [draftError('undo_of_other_record', part, ['sequence'], message, hint)];
  });
}

function isSameSystem(done: Tool, tool: Tool | undefined): boolean {
  if (done.system === undefined || tool?.system === undefined) return true;
  return done.system === tool.system;
}

const PAST = { create: 'created', update: 'updated', delete: 'deleted', read: 'read' } as const;

/** The id of the record that a call changes, as a source of the undo; undefined if it cannot be said. */
function idOf(
  { id }: RecordEffect,
  call: Undo['sequence'][number],
  node: TemplateNode,
): string | undefined {
  const [base, key] = id.split('.');
  if (base !== 'input' || key === undefined) return undefined;
  const source = Object.hasOwn(call.input, key) ? call.input[key] : undefined;
  if (source === undefined) return undefined;
  return typeof source === 'string' ? resolved(source, node) : JSON.stringify(source.value);
}

/** A source of an undo; the constant, if the node gives one for the input that it names. */
function resolved(source: string, { details }: TemplateNode): string {
  const [base, key, ...rest] = source.split('.');
  if (base !== 'input' || key === undefined || rest.length > 0) return source;
  const given = Object.hasOwn(details.input, key) ? details.input[key] : undefined;
  return given === undefined || typeof given === 'string' ? source : JSON.stringify(given.value);
}
