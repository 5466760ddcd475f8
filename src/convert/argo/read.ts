import { InputError } from '../../core/errors.js';
import { isObject } from '../../core/json-path.js';
import type { Workflow } from '../../workflow/ir/workflow.js';
import { featuresOf } from '../features.js';
import { type FeatureNote, reportOf } from '../report.js';
import { type ArgoDocument, readNote } from './document.js';
import { readForeign } from './read-foreign.js';
import { readOwnArgo } from './read-own.js';
import { argoTable } from './support.js';

/**
 * Reads a workflow from a document of Argo Workflows: one that was written here, or any other.
 *
 * @throws InputError `bad_argo` for what is no such document; otherwise naming what a workflow cannot say
 */
export async function readArgo(
  text: string,
  file?: string,
): Promise<{ readonly workflow: Workflow; readonly report: readonly FeatureNote[] }> {
  const { parseAllDocuments, LineCounter } = await import('yaml');
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter, strict: false });
  const [first, ...others] = Array.isArray(parsed) ? parsed : [];
  if (first === undefined || others.length > 0) {
    const count = first === undefined ? 'no document' : `${others.length + 1} documents`;
    throw new InputError('bad_argo', `there are ${count} in it`, 'give one Workflow', { file });
  }
  const [error] = first.errors;
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0]);
    const problem = error.message.split('\n')[0].replace(/ at line \d+.*/, '');
    throw new InputError('bad_argo', problem, 'write it as YAML', { file, line });
  }
  const document = toDocument(first.toJS(), file);
  const rest = readNote(document, 'workflow');
  if (rest === undefined) return readForeign(document, file);
  const workflow = readOwnArgo(document, rest, file);
  return { workflow, report: reportOf(featuresOf(workflow), argoTable) };
}

function toDocument(value: unknown, file: string | undefined): ArgoDocument {
  const refuse = (problem: string, cure: string, path?: string) =>
    new InputError('bad_argo', problem, cure, { file, path });
  if (!isObject(value)) throw refuse('this is no document of Argo', 'give a Workflow');
  const { kind, metadata, spec } = value;
  if (kind !== 'Workflow' && kind !== 'WorkflowTemplate') {
    throw refuse(`a ${kind} is not read`, 'give a Workflow or a WorkflowTemplate', '$.kind');
  }
  if (!isObject(spec)) throw refuse('this is missing', 'give a spec', '$.spec');
  if (!Array.isArray(spec.templates)) {
    throw refuse('there are no templates in it', 'give them here', '$.spec.templates');
  }
  return { ...value, metadata: isObject(metadata) ? metadata : {} } as unknown as ArgoDocument;
}
