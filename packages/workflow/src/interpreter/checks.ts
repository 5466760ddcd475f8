import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import type { Body, JsonSchema, Node, Workflow } from '../ir/workflow.js';
import { type EventType, type Json, OWN_EVENT_TYPES } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure } from './entries.js';
import type { Host } from './host.js';
import { guardOf, type NodePlan } from './plan.js';
import { codeOf, failureOf, makeFailure, stopFailure } from './policies.js';
import { bodyOutput, outputOf } from './references.js';
import { anyEntry, append, type Run, write } from './run.js';

/**
 * Evaluates a guard over the values that it may read.
 *
 * @throws InputError `bad_guard`, AlasError `guard_failed` if it is neither true nor false
 */
export function evaluateGuard(
  expression: string,
  bindings: Readonly<Record<string, Json>>,
): Promise<boolean> {
  return guardOf(expression).evaluate(bindings);
}

/**
 * The failure of the first violated invariant among those that can be evaluated now: all whose
 * nodes have ended, and those that read the output only when it exists.
 *
 * @param names the invariants to evaluate. Default: all
 */
export async function brokenInvariant(
  run: Run,
  names?: readonly string[],
  output?: EncodedValue,
): Promise<Failure | undefined> {
  const { plan, root } = run;
  for (const { name, guard } of plan.invariants) {
    if (names !== undefined && !names.includes(name)) continue;
    const { reads } = guard;
    if (reads.output && output === undefined) continue;
    const ids = reads.outputs === 'all' ? root.plan.body.nodes.map(({ id }) => id) : reads.outputs;
    const outputs: Record<string, Json> = {};
    for (const id of ids) {
      const datum = outputOf(run, root, id);
      if (datum !== undefined) outputs[id] = datum.json();
    }
    const complete = reads.outputs === 'all' || ids.every((id) => Object.hasOwn(outputs, id));
    if (output === undefined && !complete) continue;
    const bindings = { input: root.input.json(), outputs, output: output?.json() ?? null };
    try {
      if (await guard.evaluate(bindings)) continue;
      return stopFailure('Invariant', `the invariant ${name} does not hold`);
    } catch (error) {
      return stopFailure(codeOf(error), (error as Error).message);
    }
  }
  return undefined;
}

/** The output of the whole run, or the reason why it cannot be committed. */
export function checkOutput(run: Run): { output: EncodedValue } | { failure: Failure } {
  const output = bodyOutput(run, run.root);
  let violations: readonly string[];
  try {
    violations = schemaViolations(run.host, run.plan.workflow, 'output', output);
  } catch (error) {
    return { failure: stopFailure(codeOf(error), (error as Error).message) };
  }
  if (violations.length === 0) return { output };
  const reason = { validator: 'io.output', outcome: 'reject', errors: violations };
  write(run, '', 'ValidateFail', reason);
  return { failure: stopFailure('BadOutput', violationText('output', violations)) };
}

/**
 * Violations of the schema of an input or an output. Placeholders of secrets in a resumed run's log
 * have another form than the secrets, and are accepted.
 *
 * @throws InputError `not_json` for values that violate it because they are not JSON
 */
export function schemaViolations(
  { check }: Pick<Host, 'check'>,
  { io }: Pick<Workflow, 'io'>,
  part: 'input' | 'output',
  value: EncodedValue,
): readonly string[] {
  const schema = io[part];
  if (check === undefined || schema === undefined) return [];
  const json = value.json();
  const found = check(schema, json);
  if (found.length === 0) return found;
  // A circular value has no end: report first that it is not JSON.
  canonicalJson(json);
  return isRedacted(json) ? [] : found;
}

/** Violations in one sentence. */
export function violationText(
  part: 'input' | 'output',
  [first, ...more]: readonly string[],
): string {
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `the ${part} does not fit io.${part}: ${first}${rest}`;
}

/**
 * The failure of a node whose input or output violates its schema, which is logged; an invalid
 * schema fails, too.
 */
export function schemaFailure(
  run: Run,
  plan: NodePlan,
  path: string,
  part: 'input' | 'output',
  value: EncodedValue,
  beforeWriting?: () => void,
): Failure | undefined {
  let errors: readonly string[];
  try {
    errors = schemaViolations(run.host, plan.node, part, value);
  } catch (error) {
    return failureOf(error, path, plan);
  }
  if (errors.length === 0) return undefined;
  beforeWriting?.();
  write(run, path, 'ValidateFail', { validator: `io.${part}`, outcome: 'reject', errors });
  const code = part === 'input' ? 'BadInput' : 'BadOutput';
  return makeFailure(code, violationText(part, errors), path, plan);
}

/**
 * Logs a handler's own entry, but none that the state of the run is folded from.
 *
 * @param flush writes the deferred entries
 * @throws AlasError `BadLogEntry`: the entry is not written, and the step fails with that code
 *   unless its handler catches it
 */
export function logOwn(
  run: Run,
  node: Node,
  path: string,
  [eventType, payload]: readonly [EventType, Json],
  flush?: () => void,
): void {
  const { logSchemaRef: name = '' } = node;
  const schema = run.plan.workflow.logSchemas[name];
  requireOwnEntry(eventType, payload, run.host.check, schema && { name, schema });
  if (run.over || run.state.end !== undefined) {
    const message = `the run has ended: it cannot log ${eventType}`;
    throw new AlasError('BadLogEntry', message, payload);
  }
  flush?.();
  append(run, [anyEntry(run, path, eventType, payload)]);
}

/** The schema of the entries that a handler logs itself, and its name. */
export interface LogSchema {
  readonly name: string;
  readonly schema: object;
}

/**
 * Rejects an entry that no handler may write, or that does not match the schema of its node.
 *
 * @throws AlasError `BadLogEntry`
 */
export function requireOwnEntry(
  eventType: EventType,
  payload: Json,
  check: Host['check'],
  declared: LogSchema | undefined,
): void {
  const refuse = (message: string) => new AlasError('BadLogEntry', message, payload);
  const own: readonly EventType[] = OWN_EVENT_TYPES;
  if (!own.includes(eventType)) {
    throw refuse(`handlers write no ${eventType}; they may write ${own.join(', ')}`);
  }
  if (check === undefined || declared === undefined) return;
  const [error] = check({ type: 'object', ...declared.schema } as JsonSchema, payload);
  if (error !== undefined) {
    throw refuse(`the ${eventType} of its own does not fit ${declared.name}: ${error}`);
  }
}

/** Whether a workflow has anything to check: schemas of values or of entries. */
export function declaresSchemas(workflow: Workflow): boolean {
  const { input, output } = workflow.io;
  return input !== undefined || output !== undefined || hasSchemas(workflow);
}

function hasSchemas({ nodes }: Body): boolean {
  return nodes.some((node) => {
    const { input, output } = node.io;
    if (input !== undefined || output !== undefined || node.logSchemaRef !== undefined) return true;
    if (node.type === 'parallel') return Object.values(node.branches).some(hasSchemas);
    return node.type === 'map' && hasSchemas(node.body);
  });
}
