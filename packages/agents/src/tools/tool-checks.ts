import { AlasError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json, JsonSchema } from '@alas-jssp/workflow';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import type { Tool } from './tool.js';

/** Violations that an error lists. */
const SHOWN = 3;

/** Compiled checks by the text of their schema: catalogues are copied, and compiling takes milliseconds. */
const compiled = new Map<string, (value: Json) => readonly string[]>();
/** The number of checks that are kept. */
const KEPT = 500;

/**
 * Lists the violations of a schema of a tool.
 *
 * @throws AlasError `bad_schema` for an invalid schema
 */
export function violationsOf(
  schema: Readonly<Record<string, unknown>>,
  value: Json,
): readonly string[] {
  const text = JSON.stringify(schema);
  let check = compiled.get(text);
  if (check === undefined) {
    // Each schema has a compiler of its own: their identities may collide.
    const { $schema: _, $id: __, ...rest } = schema;
    check = createSchemaChecks()(rest as JsonSchema);
    if (compiled.size >= KEPT) compiled.clear();
    compiled.set(text, check);
  }
  return check(value);
}

/**
 * Checks the input of a call.
 *
 * @throws AlasError `BadToolInput`
 */
export function requireToolInput({ name, input }: Tool, value: Json): void {
  requireValid('BadToolInput', `the input of the tool ${name}`, input, value);
}

/**
 * Checks the output of a call.
 *
 * @throws AlasError `BadToolOutput`
 */
export function requireToolOutput({ name, output }: Tool, value: Json): void {
  requireValid('BadToolOutput', `the output of the tool ${name}`, output, value);
}

function requireValid(
  code: string,
  what: string,
  schema: Readonly<Record<string, unknown>>,
  value: Json,
): void {
  const violations = violationsOf(schema, value);
  if (violations.length === 0) return;
  const shown = violations.slice(0, SHOWN).join('; ');
  const more = violations.length > SHOWN ? `; and ${violations.length - SHOWN} more` : '';
  throw new AlasError(code, `${what} does not match its schema: ${shown}${more}`, value);
}

/**
 * The tool with a name.
 *
 * @throws AlasError `UnknownTool`
 */
export function requireTool(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  const hint = tools.size === 0 ? 'there are none' : suggestNames(name, [...tools.keys()]);
  throw new AlasError('UnknownTool', `there is no tool ${JSON.stringify(name)}; ${hint}`, name);
}
