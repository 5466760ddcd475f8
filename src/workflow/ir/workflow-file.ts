import { readBytes } from '../../core/bytes.js';
import { checkJson } from '../../core/json-check.js';
import { faultError } from '../../core/json-fault.js';
import { parseJson } from '../../core/json-text.js';
import { bytesOf } from '../../core/text.js';
import { type Workflow, workflowSchema } from './workflow.js';

/**
 * Reads a workflow from a JSON file as `docs/reference/workflow.md` describes it, plain or gzip. What is
 * left out has its default. Only the form is checked here; `checkWorkflow` judges the rest.
 *
 * @throws InputError naming file and JSON path of what is missing, unknown or out of range
 */
export function readWorkflow(path: string): Workflow {
  return parseWorkflow(readBytes(path), path);
}

/** Reads a workflow from a text, or from its bytes (not gzip), as {@link readWorkflow} does from a file. */
export function parseWorkflow(text: string | Uint8Array, file?: string): Workflow {
  return toWorkflow(parseJson(bytesOf(text, file), file), file);
}

/**
 * Makes a workflow of a value that has its form, with defaults where something is left out.
 *
 * @throws InputError `bad_workflow` naming the JSON path of the first thing that is wrong
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
