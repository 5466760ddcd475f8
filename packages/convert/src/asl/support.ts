import type { WorkflowUse } from '../features.js';
import { emulated, type FeatureSupport, type FeatureTable, native, noted } from '../report.js';

/** How the Amazon States Language expresses each feature of a workflow. */
export const ASL_SUPPORT: FeatureTable<WorkflowUse> = {
  task: native('a Task state that calls a Lambda function'),
  params: native('`params` of the call'),
  choice: native('a Choice state'),
  guard: native(
    'a Condition in JSONata; one that fails on some values is tried before, in a Map state over nothing that catches that',
  ),
  wait: native('a Task state that waits for a task token'),
  approvers: noted('anyone with the task token may approve'),
  approval: emulated('a Task state before the step that waits for a task token'),
  parallel: emulated(
    'a Parallel state whose branches say how they ended; when one fails, the others go on to their ends',
  ),
  map: emulated(
    'a Map state whose items say how they ended; when one fails, the others go on to their ends',
  ),
  loop: emulated('a Parallel state of one branch for each turn, a Choice state and a counter'),
  'loop-guard': emulated('conditions over a counter and the time of the start'),
  concurrency: ({ node }) =>
    node?.type === 'parallel'
      ? { level: 'emulated', how: 'a Map state over the names of the branches' }
      : { level: 'native', how: 'MaxConcurrency' },
  'side-by-side': emulated(
    'a Parallel state for parts that have nothing to do with each other; what is tangled runs one after the other',
  ),
  references: native('variables and expressions in JSONata'),
  retry: retryNote,
  backoff: backoffNote,
  jitter: emulated('JitterStrategy FULL, which draws from no wait to all of it'),
  timeout: ({ policy }) => seconds('TimeoutSeconds', policy?.timeout?.seconds ?? 1),
  catch: ({ node }) =>
    node?.type === 'task' && node.effect === 'none'
      ? { level: 'native', how: 'Catch' }
      : { level: 'emulated', how: 'states that undo what failed before the handler goes on' },
  'back-to': emulated(
    'states that undo what came after, empty its variables and count the returns',
  ),
  'late-answer': noted(
    'what a function says after its timeout is not heard: its effect stays in doubt, undone or not',
  ),
  'idempotency-key': emulated('in the payload: run and path, without the hash of the input'),
  'shared-key': noted('the key is in the payload; no other run waits for it'),
  effect: emulated('a Pass state before the step registers what undoes it in a variable'),
  compensation: emulated('states that undo what is registered, the last first'),
  cancellation: noted('an execution that is stopped undoes nothing'),
  'effect-deadline': emulated('every later step and wait has what is left as its limit'),
  'compensate-on': emulated('the failure says whether it undoes anything'),
  invariants: emulated('Choice states after the nodes that they read, and at the end'),
  signals: noted('nothing takes a message for which no state waits'),
  schemas: noted('in the embedded workflow; nothing checks inputs and outputs'),
  'log-schemas': noted('in the embedded workflow'),
  'large-values': native('variables and payloads of at most 256 KiB each'),
  roles: noted('in the embedded workflow'),
  repair: noted('in the embedded workflow'),
  annotations: noted('in the embedded workflow'),
};

function retryNote({ policy }: WorkflowUse): FeatureSupport {
  const { backoff } = policy ?? {};
  if (backoff !== undefined && backoff.base >= 1) return { level: 'native', how: 'Retry' };
  return { level: 'emulated', how: 'Retry, which waits a second at least' };
}

function backoffNote({ policy }: WorkflowUse): FeatureSupport {
  const { base = 1, cap } = policy?.backoff ?? {};
  const note = seconds('IntervalSeconds, BackoffRate and MaxDelaySeconds', base);
  if (note.level !== 'native' || cap === undefined) return note;
  return seconds('IntervalSeconds, BackoffRate and MaxDelaySeconds', cap);
}

function seconds(field: string, value: number): FeatureSupport {
  const isWhole = Number.isInteger(value) && value >= 1;
  if (isWhole) return { level: 'native', how: field };
  return { level: 'emulated', how: `${field}, in whole seconds from 1` };
}
