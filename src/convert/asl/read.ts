import { isObject } from '../../core/json-path.js';
import { parseJson } from '../../core/json-text.js';
import { bytesOf } from '../../core/text.js';
import { WORKFLOW_SCHEMA, type Workflow } from '../../workflow/ir/workflow.js';
import { toWorkflow } from '../../workflow/ir/workflow-file.js';
import type { WorkflowUse } from '../features.js';
import { featuresOf } from '../features.js';
import { FEATURES, type FeatureNote, type FeatureTable, reportOf } from '../report.js';
import { NodeIds, type Reading } from './read/flow.js';
import { readBody } from './read/machine.js';
import { isOwn, readBack } from './read/own.js';
import type { PolicyDocument, WorkflowDocument } from './read/policies.js';
import { THE_INPUT } from './read/values.js';
import { ASL_SUPPORT } from './support.js';

/** A workflow that was read from another language, and how it says what stood there. */
export interface ReadWorkflow {
  readonly workflow: Workflow;
  readonly report: readonly FeatureNote[];
}

/**
 * Reads a state machine in the Amazon States Language (JSONPath or JSONata). One that was written from a
 * workflow gives that back: its comments say what its states cannot. Of others, states become nodes and
 * their ways edges: graphs stay graphs. What references, guards and policies cannot say is listed as
 * `unsupported`, and kept in the parameters of its node under `asl`.
 *
 * @throws InputError `bad_asl` for what is no state machine; `changed_machine` for one that was written from
 *   a workflow and changed where that cannot be read; `unbounded_loop`, `unsupported_condition`,
 *   `unsupported_resource` and `unsupported_wait` with the JSON path of what a workflow cannot say
 */
export function readAsl(text: string | Uint8Array, file?: string): ReadWorkflow {
  const machine = parseJson(bytesOf(text, file), file);
  if (!isOwn(machine)) return readMachine(machine, file);
  const workflow = readBack(machine, file);
  return { workflow, report: reportOf(featuresOf(workflow), READ_BACK) };
}

/** How the features of a workflow come back from a machine that was written from it: all of them do. */
const READ_BACK = Object.fromEntries(
  FEATURES.map((feature) => [
    feature,
    (use: WorkflowUse) => {
      const { level } = ASL_SUPPORT[feature](use);
      const runs = level === 'native' || level === 'emulated';
      const how = runs ? 'as its states say it' : 'from a comment, which no engine reads';
      return { level: 'native', how };
    },
  ]),
) as FeatureTable<WorkflowUse>;

function readMachine(machine: unknown, file: string | undefined): ReadWorkflow {
  const notes: FeatureNote[] = [];
  const policies = new Map<string, string>([['{}', 'plain']]);
  const reading: Reading = {
    notes,
    ids: new NodeIds(),
    policy(policy: PolicyDocument) {
      const key = JSON.stringify(policy);
      const name = policies.get(key) ?? `policy-${policies.size}`;
      policies.set(key, name);
      return name;
    },
  };
  const fields = isObject(machine) ? machine : {};
  const body = readBody(machine, {
    ...{ reading, title: '', input: THE_INPUT, execution: THE_INPUT },
    ...{ place: { file, path: [] }, jsonata: fields.QueryLanguage === 'JSONata' },
    ...(typeof fields.TimeoutSeconds === 'number' ? { seconds: fields.TimeoutSeconds } : {}),
  });
  if (fields.TimeoutSeconds !== undefined) {
    const how = 'a workflow as a whole has no timeout';
    notes.push({ feature: 'timeout', place: '', level: 'unsupported', how });
  }
  const document: WorkflowDocument = {
    ...{ schema: WORKFLOW_SCHEMA, name: nameOf(file), ...body },
    policies: Object.fromEntries([...policies].map(([key, name]) => [name, JSON.parse(key)])),
    defaultPolicy: 'plain',
    ...(typeof fields.Comment === 'string' ? { description: fields.Comment } : {}),
  };
  const workflow = toWorkflow(document, file);
  return { workflow, report: reportOfReading(workflow, notes) };
}

/** The name of the file without its folder and endings: machines have no names of their own. */
function nameOf(file: string | undefined): string {
  const name = file
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/(\.asl)?\.json$/, '');
  return name === undefined || name === '' ? 'machine' : name;
}

/** All features of a workflow that was read: native but where something else was noted. */
function reportOfReading(workflow: Workflow, notes: readonly FeatureNote[]): FeatureNote[] {
  const key = ({ feature, place }: Pick<FeatureNote, 'feature' | 'place'>) => `${feature} ${place}`;
  const noted = new Set(notes.map(key));
  const native = featuresOf(workflow).flatMap((use): FeatureNote[] => {
    if (use.place === '' && use.feature !== 'side-by-side') return [];
    if (noted.has(key(use))) return [];
    const { feature, place } = use;
    return [{ feature, place, level: 'native', how: 'as the state says it' }];
  });
  return [...notes, ...native];
}
