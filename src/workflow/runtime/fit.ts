import { canonicalJson } from '../../core/canonical-json.js';
import { AlasError } from '../../core/errors.js';
import type { Body, JsonSchema, Node, Workflow } from '../ir/workflow.js';
import type { EventType, Json } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import type { LogStore } from '../log/store.js';
import type { SchemaChecks } from '../validation/schema-check.js';
import { type Run, write } from './context.js';
import type { Datum } from './datum.js';
import { failureOf, makeFailure } from './failures.js';
import type { Failure } from './payloads.js';
import type { NodePlan } from './plan.js';

/** The checks of workflows that were run: their schemas are compiled once. */
const known = new WeakMap<Workflow, SchemaChecks>();

/**
 * The check of the values of a run while it goes on; undefined if there is nothing to check: no
 * schema, or a log that keeps nothing, so that values need not even be JSON.
 */
export async function checksFor(
  workflow: Workflow,
  store: LogStore,
): Promise<SchemaChecks | undefined> {
  if (store.forgets || !declaresSchemas(workflow)) return undefined;
  let checks = known.get(workflow);
  if (checks === undefined) {
    // The library takes long to load.
    const { createSchemaChecks } = await import('../validation/schema-check.js');
    checks = createSchemaChecks(workflow.schemas);
    known.set(workflow, checks);
  }
  return checks;
}

function declaresSchemas(workflow: Workflow): boolean {
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

/** Something that declares what goes into it and comes out of it: a node, or the workflow. */
type Declared = Pick<Workflow, 'io'>;

/**
 * The fault of an input or an output. What stands in the place of secrets in the log of a run
 * that was resumed has another form than they had, and is let pass.
 *
 * @throws InputError `not_json` for what does not fit because it is no JSON
 */
export function misfits(
  checks: SchemaChecks | undefined,
  { io }: Declared,
  part: 'input' | 'output',
  value: Datum,
): readonly string[] {
  const schema = io[part];
  if (checks === undefined || schema === undefined) return [];
  const json = value.json();
  const found = checks(schema)(json);
  if (found.length === 0) return found;
  // A circle has no end: that it is no JSON at all is said first.
  canonicalJson(json);
  return isRedacted(json) ? [] : found;
}

/** In one sentence, what does not fit. */
export function sayMisfits(part: 'input' | 'output', [first, ...more]: readonly string[]): string {
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `the ${part} does not fit io.${part}: ${first}${rest}`;
}

const CODES = { input: 'BadInput', output: 'BadOutput' } as const;

/** Tells the log that an input or an output of a node does not fit, and gives the failure. */
export function refuseMisfits(
  run: Run,
  plan: NodePlan,
  path: string,
  part: 'input' | 'output',
  errors: readonly string[],
): Failure {
  write(run, path, 'ValidateFail', { validator: `io.${part}`, outcome: 'reject', errors });
  return makeFailure(CODES[part], sayMisfits(part, errors), path, plan);
}

/**
 * Checks what a node is given or gives; a misfit is told to the log. A schema that is none fails,
 * too.
 */
export function unfit(
  run: Run,
  plan: NodePlan,
  path: string,
  part: 'input' | 'output',
  value: Datum,
): Failure | undefined {
  let errors: readonly string[];
  try {
    errors = misfits(run.checks, plan.node, part, value);
  } catch (error) {
    return failureOf(error, path, plan);
  }
  return errors.length === 0 ? undefined : refuseMisfits(run, plan, path, part, errors);
}

/**
 * Holds what a handler writes into the log against the log schema of its node.
 *
 * @throws AlasError `BadLogEntry`: the entry is not written, and the step fails with that code unless
 *   its handler catches it
 */
export function requireLogSchema(run: Run, node: Node, eventType: EventType, payload: Json): void {
  if (run.checks === undefined || node.logSchemaRef === undefined) return;
  const logSchema = run.plan.workflow.logSchemas[node.logSchemaRef];
  if (logSchema === undefined) return;
  const errors = run.checks({ type: 'object', ...logSchema } as JsonSchema)(payload);
  if (errors.length === 0) return;
  const message = `the ${eventType} of its own does not fit ${node.logSchemaRef}: ${errors[0]}`;
  throw new AlasError('BadLogEntry', message, payload);
}
