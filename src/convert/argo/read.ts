import * as z from 'zod';
import { errorLine, InputError } from '../../core/errors.js';
import { checkJson, faultError } from '../../core/json-check.js';
import type { Workflow } from '../../workflow/ir/workflow.js';
import { featuresOf } from '../features.js';
import { type FeatureNote, reportOf } from '../report.js';
import { type ArgoDocument, readNote } from './document.js';
import { readForeign } from './read/foreign.js';
import { readOwnArgo } from './read/own.js';
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
    if (error.message.startsWith('Maximum call stack')) {
      throw new InputError('bad_argo', 'it is nested too deep', 'nest it less', { file });
    }
    const { line } = lineCounter.linePos(error.pos[0]);
    const problem = error.message.split('\n')[0].replace(/ at line \d+.*/, '');
    throw new InputError('bad_argo', problem, 'write it as YAML', { file, line });
  }
  const document = toDocument(plainValue(first, file), file);
  const rest = readNote(document, 'workflow');
  if (rest === undefined) return readForeign(document, file);
  const workflow = readOwnArgo(document, rest, file);
  return { workflow, report: reportOf(featuresOf(workflow), argoTable) };
}

// The form of all that is read; what else a document has is let pass. Messages are cures.
const text = z.string('give a text');
const scalar = z.union([text, z.number()], 'give a number or a text');
const object = z.looseObject({}, 'give an object');
const listOf = <T extends z.ZodType>(item: T) => z.array(item, 'give a list');
const parameters = z.looseObject(
  {
    parameters: listOf(
      z.looseObject({ name: text, valueFrom: object.optional() }, 'give an object'),
    ).optional(),
  },
  'give an object',
);
const argoCall = z.looseObject(
  {
    ...{ name: text, template: text.optional(), arguments: parameters.optional() },
    ...{ depends: text.optional(), dependencies: listOf(text).optional() },
    ...{ when: text.optional(), withParam: text.optional(), onExit: text.optional() },
    ...{ withItems: listOf(z.unknown()).optional(), continueOn: object.optional() },
  },
  'give an object',
);
const metadata = z.looseObject(
  {
    name: text.optional(),
    generateName: text.optional(),
    annotations: z.record(z.string(), text, 'give texts by name').optional(),
  },
  'give an object',
);
const runs = z.looseObject(
  {
    image: text.optional(),
    command: listOf(text).optional(),
    args: listOf(text).optional(),
    source: text.optional(),
  },
  'give an object',
);
const template = z.looseObject(
  {
    ...{ name: text, metadata: metadata.optional() },
    ...{ inputs: parameters.optional(), outputs: parameters.optional() },
    ...{ container: runs.optional(), script: runs.optional() },
    suspend: z.looseObject({ duration: scalar.optional() }, 'give an object').optional(),
    dag: z.looseObject({ tasks: listOf(argoCall) }, 'give an object').optional(),
    steps: listOf(listOf(argoCall)).optional(),
    retryStrategy: z
      .looseObject(
        {
          limit: scalar.optional(),
          expression: text.optional(),
          backoff: z
            .looseObject(
              { duration: scalar.optional(), factor: scalar.optional() },
              'give an object',
            )
            .optional(),
        },
        'give an object',
      )
      .optional(),
    ...{ activeDeadlineSeconds: scalar.optional(), timeout: text.optional() },
    parallelism: z.number('give a number').optional(),
  },
  'give an object',
);
const form = z.looseObject(
  {
    kind: z.enum(['Workflow', 'WorkflowTemplate'], 'give a Workflow or a WorkflowTemplate'),
    metadata: metadata.default({}),
    spec: z.looseObject(
      {
        ...{ entrypoint: text.optional(), onExit: text.optional() },
        ...{ arguments: parameters.optional(), templates: listOf(template) },
        parallelism: z.number('give a number').optional(),
      },
      'give a spec',
    ),
  },
  'give a Workflow',
);

function toDocument(value: unknown, file: string | undefined): ArgoDocument {
  const checked = checkJson(form, value);
  if (checked.fault === undefined) return checked.data as unknown as ArgoDocument;
  throw faultError('bad_argo', checked.fault, file);
}

/** The value of a document of YAML. Aliases of aliases that stand for millions of values are refused. */
function plainValue(document: { toJS(): unknown }, file: string | undefined): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new InputError('bad_argo', errorLine(error), 'write it without aliases', { file });
  }
}
