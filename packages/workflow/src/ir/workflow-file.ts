import { readBytes } from '@alas-jssp/core/bytes';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import { bytesOf } from '@alas-jssp/core/text';
import { type Workflow, workflowSchema } from './workflow.js';

/**
 * Reads a workflow from a JSON file as `docs/reference/workflow.md` describes it, plain or gzip, and fills in
 * defaults. Checks only the form; `checkWorkflow` checks the rest.
 *
 * @throws InputError with the file and JSON path of the first missing, unknown or invalid member
 */
export function readWorkflow(path: string): Workflow {
  return parseWorkflow(readBytes(path), path);
}

/**
 * Reads a workflow from a text, or from its bytes (not gzip), as {@link readWorkflow} does from a
 * file.
 */
export function parseWorkflow(text: string | Uint8Array, file?: string): Workflow {
  return toWorkflow(parseJson(bytesOf(text, file), file), file);
}

/**
 * Parses a value as a workflow and fills in defaults.
 *
 * @throws InputError `bad_workflow` with the JSON path of the first invalid member
 */
export function toWorkflow(value: unknown, file?: string): Workflow {
  const checked = checkJson(workflowSchema, value);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_workflow', checked.fault, file);
}

/**
 * Writes a workflow as indented JSON, defaults included; {@link parseWorkflow} reads it back.
 *
 * @throws InputError as {@link toWorkflow} does
 */
export function writeWorkflow(workflow: Workflow): string {
  return `${JSON.stringify(toWorkflow(workflow), null, 2)}\n`;
}
