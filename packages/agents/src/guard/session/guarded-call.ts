import type { Clock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import type { Json, StepContext } from '@alas-jssp/workflow';
import { unlessAborted } from 'alas-jssp/llm';
import type { BlobStore, GuardedCall } from '../compensation.js';
import type { GuardedTool } from '../guarded-tool.js';
import { unpackJson } from '../packed-json.js';
import type { GuardPolicy } from '../policy.js';
import {
  errorTextOf,
  type GuardServer,
  LostAnswerError,
  type ToolAnswer,
  valueOfAnswer,
} from '../servers/server.js';
import type { CallCommand } from './commands.js';

/** The servers of a session, its tools and its rules. */
export interface GuardWorld {
  /** By the name of the server. */
  readonly servers: ReadonlyMap<string, GuardServer>;
  /** By the name by which the client calls them. */
  readonly tools: ReadonlyMap<string, GuardedTool>;
  readonly policy: GuardPolicy;
  readonly blobs: BlobStore;
  readonly clock: Clock;
}

/**
 * The tool of a logged call. @throws AlasError `NoTool` if a server does not offer it any more */
export function toolOf({ tools }: GuardWorld, { node, tool }: CallCommand): GuardedTool {
  const found = tools.get(tool);
  if (found?.rules !== undefined && found.node === node) return found;
  throw new AlasError('NoTool', `the tool ${tool} does not exist any more, or has other rules`);
}

/** The server of a tool. */
export function serverOf({ servers }: GuardWorld, { server }: Pick<GuardedTool, 'server'>) {
  const found = servers.get(server);
  if (found === undefined) throw new AlasError('NotSent', `there is no server ${server}`);
  return found;
}

/** The idempotency key of a call: the same for every attempt, and for its undo. */
export function keyOfCall(runId: string, { call }: Pick<CallCommand, 'call'>): string {
  return `${runId}/${call}`;
}

/** The circumstances of a step that acts for a call. */
type CallStep = Pick<StepContext, 'runId' | 'signal'> & {
  /** Of an undo: it may change things, which are logged. */
  readonly log?: StepContext['log'];
};

/** A call as its compensation sees it. */
export async function guardedCall(
  world: GuardWorld,
  command: CallCommand,
  step: CallStep,
): Promise<GuardedCall> {
  const tool = toolOf(world, command);
  const server = serverOf(world, tool);
  const key = keyOfCall(step.runId, command);
  const { signal } = step;
  const send = async (
    name: string,
    input: Record<string, Json>,
    sentKey: string,
    seconds?: number,
  ) => {
    const asked = { name, ...(seconds !== undefined && { seconds }) };
    const answer = await callWithin(world, server, asked, input, sentKey, step);
    if (!answer.isError) return valueOfAnswer(answer);
    throw new AlasError('ToolFailed', `the tool ${name} failed: ${errorTextOf(answer)}`);
  };
  return {
    server: tool.server,
    tool: tool.listed.name,
    input: (await unpackJson(world.blobs, command.input)) as GuardedCall['input'],
    key,
    signal,
    blobs: world.blobs,
    async read(name, input) {
      const found = [...world.tools.values()].find(
        (one) => one.server === tool.server && one.listed.name === name,
      );
      if (found?.rules?.access === 'read') {
        return send(name, input, `${key}/read`, found.rules.timeoutSeconds);
      }
      throw new AlasError('NotPermitted', `${name} is no read by the policy`);
    },
    async change(name, input) {
      if (step.log === undefined) {
        throw new AlasError('NotPermitted', `only an undo may call ${name}`);
      }
      step.log('Request', { tool: name, input });
      const value = await send(name, input, `${key}/undo`);
      step.log('Response', { tool: name, output: value });
      return value;
    },
  };
}

/**
 * Calls a tool for a compensation, for as long as the policy says. An undo does not wait for a lost
 * answer: its server is ended, so that nothing acts late, and the undo is tried again.
 */
async function callWithin(
  { policy, clock }: GuardWorld,
  server: GuardServer,
  { name, seconds = policy.timeoutSeconds }: { readonly name: string; readonly seconds?: number },
  input: Record<string, Json>,
  key: string,
  { signal, log }: CallStep,
): Promise<ToolAnswer> {
  const [limit, over] = [new AbortController(), new AbortController()];
  const pass = () => limit.abort(new LostAnswerError(`the answer of ${name} is lost`, false));
  clock.sleep(seconds * 1000, over.signal).then(pass, () => {});
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await unlessAborted(server.call(name, input, { key, signal: either }), either);
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted || log === undefined) throw error;
    const mayEnd = policy.servers[server.spec.name]?.restart !== false;
    if (mayEnd) await server.stopActing?.();
    throw new LostAnswerError(`the answer of ${name} is lost`, mayEnd);
  } finally {
    over.abort('answered');
  }
}
