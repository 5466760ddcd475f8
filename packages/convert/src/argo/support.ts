import type { WorkflowUse } from '../features.js';
import * as report from '../report.js';
import { type FeatureTable, noted, unsupported } from '../report.js';
import { guardExpression } from './write/guard-expression.js';

/** Documents for Argo pass its linter in the tests, but were never executed. */
const UNTRIED = '; linted, never executed';

const native = (how: string) => report.native(how + UNTRIED);
const emulated = (how: string) => report.emulated(how + UNTRIED);

/** How Argo Workflows expresses each feature. */
export const argoTable: FeatureTable<WorkflowUse> = {
  task: native('a container that is given the call as its argument, and answers with files'),
  params: native('`params` of the call'),
  choice: emulated('steps whose output is the branch, and tasks that run when it is theirs'),
  guard: ({ edge }) => {
    const said = guardExpression(edge?.guard ?? 'false', { input: 'fromJSON("null")' });
    return said === undefined
      ? emulated('a step that evaluates the guard with JSONata, in a container')()
      : native('an expression; what it cannot take like JSONata makes it fail')();
  },
  wait: emulated('a suspended step that is given the message; after its duration a step fails'),
  approvers: noted('in the embedded workflow: anyone who may resume the workflow may approve'),
  approval: emulated('a suspended step that is given the answer; a refusal makes a step fail'),
  parallel: native('a DAG with a task for each branch'),
  map: native('withParam over the items, each with its number'),
  loop: emulated('a template that calls itself with a counter until a guard ends it'),
  'loop-guard': ({ node }) =>
    node?.type === 'map' && node.items !== undefined
      ? emulated('steps that fail before the first item: time is not asked again between items')()
      : emulated('conditions over counter and clock, asked after each turn')(),
  concurrency: native('parallelism of the template'),
  'side-by-side': native('tasks of a DAG; what runs beside a failure is not stopped'),
  references: native('expressions over the outputs of tasks'),
  retry: native('retryStrategy; codes are looked for in what the container leaves as its message'),
  backoff: ({ policy }) =>
    policy?.backoff?.mode === 'exponential' && policy.backoff.cap !== undefined
      ? noted(
          'backoff with a factor; its cap is in the embedded workflow: Argo 3.6 has none for one wait',
        )()
      : native('backoff of the retryStrategy')(),
  jitter: noted('in the embedded workflow: waits of Argo are not random'),
  timeout: native('activeDeadlineSeconds of each attempt, in whole seconds'),
  catch: native('tasks that depend on the failure of another; what it did is undone before'),
  'back-to': unsupported('a DAG does not go back'),
  'late-answer': noted('in the embedded workflow: Argo ends what is late, and hears no more of it'),
  'idempotency-key': native('an expression over run, path and input, as `key` of the call'),
  'shared-key': emulated('a mutex named by the key; the result of an earlier run is not found'),
  effect: native('`key` of the call; its kind is in the embedded workflow'),
  compensation: emulated(
    'an exit handler: compensators in reverse order, which look effects up by key, or in loops by run and path, and do nothing if there is none',
  ),
  cancellation: native(
    'the exit handler runs when a workflow is stopped, not when it is terminated',
  ),
  'effect-deadline': unsupported('nothing fires while a workflow goes on'),
  'compensate-on': unsupported('the exit handler does not know which failure there was'),
  invariants: noted('in the embedded workflow: nothing asks them'),
  signals: noted('in the embedded workflow: they cannot be sent'),
  schemas: noted('in the embedded workflow: handlers are to check what they are given and give'),
  'log-schemas': noted('in the embedded workflow: there is no log'),
  'large-values': emulated(
    'an optional artifact `value` beside the output, which then refers to it by its key',
  ),
  roles: noted('in the embedded workflow'),
  repair: noted('in the embedded workflow'),
  annotations: noted('in the embedded workflow'),
};
