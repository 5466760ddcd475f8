import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError, type InputLocation } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { laterVersionHint } from '@alas-jssp/core/later-version';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Workflow } from '@alas-jssp/workflow';
import { toWorkflow } from '@alas-jssp/workflow';

/** The version of the embedded form of a workflow in a converted document. */
const EMBEDDED_SCHEMA = 'alas-jssp/embedded-workflow@1';

/**
 * The workflow of a document, as the JSON text that the document contains, with a checksum of the
 * workflow and of the rest of the document, which reveals later changes of either.
 *
 * @param rest the document without that text
 */
export function embedWorkflow(workflow: Workflow, rest: unknown): string {
  return JSON.stringify({
    schema: EMBEDDED_SCHEMA,
    checksum: checksumOf(workflow, rest),
    workflow,
  });
}

/**
 * Reads the workflow that a document carries.
 *
 * @param text the result of {@link embedWorkflow}; undefined if the document has no such text
 * @param rest the document without that text
 * @throws InputError `foreign_document` for a document that carries no workflow; `changed_document`
 *   for one that was changed after it was written; `bad_workflow` if the workflow itself was
 *   damaged
 */
export function extractWorkflow(text: unknown, rest: unknown, location: InputLocation): Workflow {
  const value = parsed(text);
  if (value === undefined) {
    const problem = 'it carries no workflow: only documents that `workflow convert` wrote are read';
    throw new InputError('foreign_document', problem, 'give such a document', location);
  }
  if (value.schema !== EMBEDDED_SCHEMA) {
    const problem = `its workflow has the form ${JSON.stringify(value.schema)}, not "${EMBEDDED_SCHEMA}"`;
    const hint = laterVersionHint(value.schema, [EMBEDDED_SCHEMA]) ?? 'convert the workflow again';
    throw new InputError('foreign_document', problem, hint, location);
  }
  if (value.checksum !== checksumOf(value.workflow ?? null, rest)) {
    const problem = 'it was changed after it was written';
    throw new InputError(
      'changed_document',
      problem,
      'change the workflow and convert it again',
      location,
    );
  }
  return toWorkflow(value.workflow, location.file);
}

function checksumOf(workflow: unknown, rest: unknown): string {
  return sha256(canonicalJson([workflow, rest]));
}

function parsed(text: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
