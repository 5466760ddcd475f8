import { nodeAt, planWorkflow } from '@alas-jssp/workflow/ir';
import type { WorkflowUse } from '../features.js';
import { emulated, type FeatureTable, native, noted, unsupported } from '../report.js';

/** How BPMN 2.0, as Flowable executes it, expresses each feature. */
export const BPMN_SUPPORT: FeatureTable<WorkflowUse> = {
  task: native('a service task for external workers, in a sub-process with its attempts'),
  params: native('`params` of the call'),
  choice: native('an exclusive gateway'),
  guard: native(
    'a condition in JSONata on the sequence flow; one that cannot be evaluated stops the instance, and nothing is undone',
  ),
  wait: native('a receive task'),
  approvers: noted('in the embedded workflow: anyone who may complete the task may approve'),
  approval: native('a user task before the service task'),
  parallel: native('a parallel gateway, and a sub-process for each branch'),
  map: native('a multi-instance sub-process'),
  loop: native('a gateway that leads back to a sub-process for each turn'),
  'loop-guard': ({ node, policy }) =>
    node?.type === 'map' && node.items !== undefined && hasTimes(policy)
      ? noted('in the embedded workflow: time is not asked between items')()
      : emulated('conditions over a counter and the clock, asked after each turn')(),
  concurrency: ({ node }) =>
    node?.type === 'map'
      ? emulated('items one after the other: BPMN has no number between one and all')()
      : emulated('as many lanes of branches as may run at once, each one after the other')(),
  'side-by-side': native('parallel gateways, and inclusive gateways where ways meet'),
  references: native('scripts in JSONata over variables'),
  retry: emulated('a boundary error event, and a gateway that asks for code and count'),
  backoff: native('a timer event before the next attempt'),
  jitter: native('chance in the script that sets the timer'),
  timeout: native('a boundary timer event; Flowable polls its timers'),
  catch: native('a gateway behind the node; what it did is undone on the way to the handler'),
  'back-to': unsupported('a process does not go back to a node of a graph with joins'),
  'late-answer': noted(
    'in the embedded workflow: Flowable hears no answer of a task that was interrupted',
  ),
  'idempotency-key': emulated('a script sets `key` of the call from run, path and input'),
  'shared-key': noted(
    'in the embedded workflow: Flowable does not share effects among nodes or runs',
  ),
  effect: emulated('an entry in a variable of the process, written before the call'),
  compensation: (use) => {
    if (use.policy?.compensation?.triggers.includes('onFailure') === false) {
      return noted('in the embedded workflow: only a failure undoes')();
    }
    return standsInLoop(use)
      ? emulated('a call in the undo loop: an event would undo all turns of the step at once')()
      : native('a compensation event and its handler, thrown for one step after the other')();
  },
  cancellation: native('a boundary message event on the sub-process of all nodes'),
  'effect-deadline': unsupported('nothing fires after the step while the instance goes on'),
  'compensate-on': emulated('the failure says whether it undoes what was done before'),
  invariants: emulated('asked at the end of the process only'),
  signals: noted('in the embedded workflow: messages that no node waits for are not kept'),
  schemas: noted('in the embedded workflow: values are not checked'),
  'log-schemas': noted('in the embedded workflow'),
  'large-values': native('variables of the process, of any size'),
  roles: noted('in the embedded workflow'),
  repair: noted('in the embedded workflow: handlers are deployed with their bounds'),
  annotations: native('names and documentation'),
};

/** Whether a step may run more than once in a run: it is in the body of a map. */
function standsInLoop({ workflow, place }: WorkflowUse): boolean {
  const plan = planWorkflow(workflow);
  const words = place.split('/');
  return words.some((_, k) => nodeAt(plan, words.slice(0, k).join('/'))?.node.type === 'map');
}

function hasTimes(policy: WorkflowUse['policy']): boolean {
  const { deadlineSeconds, timeBudgetSeconds } = policy?.loopGuards ?? {};
  return (deadlineSeconds ?? timeBudgetSeconds) !== undefined;
}
