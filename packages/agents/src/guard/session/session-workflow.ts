import { toWorkflow, WORKFLOW_SCHEMA, type Workflow } from '@alas-jssp/workflow';
import type { GuardedTool } from '../guarded-tool.js';
import type { GuardPolicy } from '../policy.js';
import {
  CALL_CODES,
  GUARD_COMMAND,
  GUARD_PROCESS,
  GUARD_READ,
  GUARD_WORKFLOW,
} from './commands.js';

/** The largest number of commands of a session. */
const MOST_COMMANDS = 1_000_000;

/** Seconds for validators and for reads before a call. */
const PREPARE_SECONDS = 120;

/** How often an undo that failed is tried, in all. */
const UNDO_ATTEMPTS = 3;

/**
 * The workflow of a session: a loop whose iterations each execute one command of the client.
 *
 * - `command` waits for it;
 * - `prepare` asks the validators and reads what an undo will need; a failure refuses the call;
 * - `call` has one node for each tool, which registers its undo and calls the tool, and `judge`,
 *   the validators of the answer. If one of them fails, the call is taken back and `failed` tells
 *   its outcome, or fails with the whole session;
 * - `settle` gives the outcome.
 */
export function sessionWorkflow(tools: readonly GuardedTool[], policy: GuardPolicy): Workflow {
  const acting = tools.filter(({ rules }) => rules !== undefined && rules.access !== 'read');
  const policies = Object.fromEntries(acting.map((tool) => [tool.node, policyOf(tool, policy)]));
  const flag = { type: 'boolean' };
  const state = { type: 'object', properties: { over: flag }, required: ['over'] };
  return toWorkflow({
    schema: WORKFLOW_SCHEMA,
    name: GUARD_WORKFLOW,
    description: 'A session of an agent: each change of its tools can be taken back.',
    io: { input: { type: 'object' }, output: state },
    defaultPolicy: 'none',
    policies: {
      none: {},
      loop: { loopGuards: { maxIters: MOST_COMMANDS } },
      prepare: {
        timeout: { seconds: PREPARE_SECONDS },
        catch: [{ errors: ['*'], handler: 'refused' }],
      },
      call: { loopGuards: { maxIters: 1 }, catch: [{ errors: ['*'], handler: 'failed' }] },
      plain: { timeout: { seconds: PREPARE_SECONDS } },
      ...policies,
    },
    signals: { [GUARD_READ]: true, [GUARD_PROCESS]: true },
    nodes: [
      {
        id: 'begin',
        type: 'task',
        io: { output: state },
        policyRef: 'plain',
      },
      {
        id: 'commands',
        type: 'map',
        policyRef: 'loop',
        until: '$output.over',
        io: { input: state, output: state },
        body: commandBody(acting, state),
      },
    ],
    edges: [{ from: 'begin', to: 'commands' }],
  });
}

/** The body of an iteration: it executes one command. */
function commandBody(tools: readonly GuardedTool[], state: object) {
  const command = {
    type: 'object',
    properties: { kind: { enum: ['call', 'hold', 'commit'] }, node: { type: 'string' } },
    required: ['kind'],
  };
  return {
    nodes: [
      { id: 'command', type: 'wait', message: GUARD_COMMAND, io: { output: command } },
      { id: 'kind', type: 'choice', input: 'outputs.command', io: { input: command } },
      { id: 'prepare', type: 'task', input: 'outputs.command', policyRef: 'prepare' },
      {
        id: 'call',
        type: 'map',
        input: 'outputs.prepare',
        until: 'true',
        policyRef: 'call',
        body: callBody(tools),
      },
      { id: 'failed', type: 'task', policyRef: 'plain' },
      { id: 'refused', type: 'task', policyRef: 'plain' },
      { id: 'commit', type: 'task', input: 'outputs.command', policyRef: 'plain' },
      {
        id: 'settle',
        type: 'task',
        policyRef: 'plain',
        input: {
          command: 'outputs.command',
          outcome: ['outputs.call', 'outputs.failed', 'outputs.refused', 'outputs.commit'],
        },
        io: { output: state },
      },
    ],
    edges: [
      { from: 'command', to: 'kind' },
      { from: 'kind', to: 'prepare', kind: 'branch', guard: '$input.kind = "call"' },
      { from: 'kind', to: 'commit', kind: 'branch', guard: '$input.kind = "commit"' },
      { from: 'kind', to: 'settle', kind: 'default' },
      { from: 'prepare', to: 'call' },
      { from: 'call', to: 'settle' },
      { from: 'failed', to: 'settle' },
      { from: 'refused', to: 'settle' },
      { from: 'commit', to: 'settle' },
    ],
    output: 'outputs.settle',
  };
}

/** The body that calls one tool and has the answer judged. */
function callBody(tools: readonly GuardedTool[]) {
  // Where all tools read, none is ever called by a command.
  if (tools.length === 0) {
    const judge = { id: 'judge', type: 'task', policyRef: 'plain', input: 'input' };
    return { nodes: [judge], edges: [], output: 'outputs.judge' };
  }
  const nodes = tools.map(({ node, rules, approvers }) => ({
    id: node,
    type: 'task',
    handler: 'perform',
    input: 'input',
    // One without an approval is listed by an undo that always fails.
    effect: rules?.access === 'irreversible' && approvers ? 'irreversible' : 'compensable',
    policyRef: node,
    ...(approvers && { approval: `${node}-{input.call}` }),
  }));
  const unknown = { id: 'tool', type: 'choice', input: 'input' };
  const judge = {
    id: 'judge',
    type: 'task',
    policyRef: 'plain',
    input: {
      command: 'input',
      ...(tools.length > 0 && { performed: tools.map(({ node }) => `outputs.${node}`) }),
    },
  };
  return {
    nodes: [unknown, ...nodes, judge],
    edges: [
      ...tools.map(({ node }) => ({
        from: 'tool',
        to: node,
        kind: 'branch',
        guard: `$input.node = ${JSON.stringify(node)}`,
      })),
      ...tools.map(({ node }) => ({ from: node, to: 'judge' })),
      { from: 'tool', to: 'judge', kind: 'default' },
    ],
    output: 'outputs.judge',
  };
}

/** The policy of the node of a tool. */
function policyOf({ rules, approvers, compensation }: GuardedTool, policy: GuardPolicy) {
  const { timeoutSeconds = policy.timeoutSeconds, access } = rules ?? {};
  const isUndone = access === 'change' ? compensation !== undefined : approvers === undefined;
  const undo = {
    handler: 'takeBack',
    triggers: ['onFailure', 'onCancel', 'manual'],
    // A call in doubt is not taken back by itself: it may act later.
    compensateOn: [
      CALL_CODES.notDone,
      CALL_CODES.failed,
      CALL_CODES.rejected,
      CALL_CODES.rejectedSession,
    ],
    // A second undo looks at the state, or at what the first one has logged.
    safeReinvoke: true,
    timeout: { seconds: Math.max(60, timeoutSeconds) },
    retry: { maxAttempts: UNDO_ATTEMPTS, retryOn: ['UndoFailed', 'NotSent', 'LostAnswer'] },
    backoff: { mode: 'fixed', base: 1 },
  };
  return {
    timeout: { seconds: timeoutSeconds },
    lateAnswer: { seconds: policy.lateAnswerSeconds },
    retry: { maxAttempts: 1 },
    idempotencyKey: { template: '{runId}|{nodeId}|{inputHash}' },
    ...(approvers && { approvers }),
    ...(isUndone && { compensation: undo }),
  };
}
