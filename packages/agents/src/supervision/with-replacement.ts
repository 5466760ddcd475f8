import { errorLine, InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Handler, Json, StepContext } from '@alas-jssp/workflow';

/** An agent that can play a role. */
export interface AgentCandidate {
  readonly name: string;
  readonly handler: Handler;
  /** Why it has its rank, such as its score. */
  readonly reason?: string | undefined;
}

/** Options of the replacement of agents. */
export interface ReplacementOptions {
  readonly role: string;
  /** Codes of errors after which the next candidate takes over. Default: all. */
  readonly on?: readonly string[] | undefined;
  /** Codes of errors that every candidate would have, such as `NotPermitted`: they replace none. */
  readonly except?: readonly string[] | undefined;
  /** Failures in a row after which an agent is replaced; earlier ones fail the attempt. Default 1. */
  readonly failures?: number | undefined;
  /**
   * Whether the agents change something outside. Then `on` must be given: it lists the codes of errors that prove that
   * nothing was changed, since another agent would otherwise change it a second time.
   */
  readonly changes?: boolean | undefined;
  /** Members of every `Bind` entry, for nodes with a log schema. */
  readonly entryFields?:
    | Readonly<Record<string, Json>>
    | ((input: Json) => Readonly<Record<string, Json>>)
    | undefined;
}

/** Runs whose bindings are kept in memory, besides those with a call in flight. */
const MOST_RUNS = 1000;

/** The state of a role in a run. */
interface Binding {
  /** The index of the candidate. */
  agent: number;
  failures: number;
  /** The version of the latest `Bind` entry that was followed; 0 if there was none. */
  seen: number;
  /** Calls in flight. */
  calls: number;
}

/**
 * Makes a handler that is played by the first of several agents, and by the next one when that fails. Bindings are
 * logged as `Bind`; an agent that replaced another keeps the role for the rest of the run, also in another process as far
 * as the slice of the node shows the entry. Codecs and `externalRef` are those of the first candidate: all must have the
 * same.
 *
 * @param candidates the best first
 * @throws InputError `no_candidates`, `unsafe_replacement`
 */
export function withReplacement(
  candidates: readonly AgentCandidate[],
  options: ReplacementOptions,
): Handler {
  requireReplaceable(candidates, options);
  const [first] = candidates;
  const bindings = new Map<string, Binding>();
  const bindingOf = (work: Work): Binding => {
    const { runId } = work.context;
    const known = bindings.get(runId);
    const binding = known ?? { agent: 0, failures: 0, seen: 0, calls: 0 };
    const isLogged = followLog(candidates, options.role, binding, work.context);
    // The last place in the map is that of the run that was used last.
    bindings.delete(runId);
    if (known === undefined) forgetOldest(bindings);
    bindings.set(runId, binding);
    if (known === undefined && !isLogged) bind(candidates, options, 0, work, null);
    return binding;
  };
  return {
    ...first.handler,
    kind: 'external',
    async run(input, context) {
      const work = { input, context };
      const binding = bindingOf(work);
      binding.calls++;
      try {
        return await runBound(candidates, options, binding, work);
      } finally {
        binding.calls--;
      }
    },
  };
}

/** Calls the bound agent, and the next ones while they fail. */
async function runBound(
  candidates: readonly AgentCandidate[],
  options: ReplacementOptions,
  binding: Binding,
  work: Work,
): Promise<unknown> {
  for (;;) {
    const { agent } = binding;
    try {
      const output = await candidates[agent].handler.run(work.input, work.context);
      binding.failures = 0;
      return output;
    } catch (error) {
      // Another step of the run may have replaced it in the meantime.
      if (isReplaceable(options, work.context, error) && binding.agent !== agent) continue;
      replaceOrThrow(candidates, options, binding, work, error);
    }
  }
}

/** A call of the handler. */
interface Work {
  readonly input: Json;
  readonly context: StepContext;
}

/** Whether another agent may do better after an error. */
function isReplaceable(
  { on, except = [] }: ReplacementOptions,
  { signal }: StepContext,
  error: unknown,
): boolean {
  const code = codeOf(error);
  // A timeout or a cancellation is the end of the attempt, whatever agent works on it.
  return !signal.aborted && !except.includes(code) && (on === undefined || on.includes(code));
}

function codeOf(error: unknown): string {
  const { code } = (isObject(error) ? error : {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'Error';
}

/** Binds the next candidate, or throws the error if there is none, or if the agent may not be replaced yet. */
function replaceOrThrow(
  candidates: readonly AgentCandidate[],
  options: ReplacementOptions,
  binding: Binding,
  work: Work,
  error: unknown,
): void {
  const { failures = 1 } = options;
  if (!isReplaceable(options, work.context, error)) throw error;
  binding.failures++;
  if (binding.failures < failures || binding.agent + 1 >= candidates.length) throw error;
  const { name: replaced } = candidates[binding.agent];
  const times = failures === 1 ? '' : `${failures} times, lastly with `;
  const reason = `${replaced} failed: ${times}${codeOf(error)}: ${errorLine(error)}`;
  bind(candidates, options, binding.agent + 1, work, { replaced, reason });
  binding.agent++;
  binding.failures = 0;
}

function bind(
  candidates: readonly AgentCandidate[],
  { role, entryFields = {} }: ReplacementOptions,
  agent: number,
  { input, context }: Work,
  replacement: { readonly replaced: string; readonly reason: string } | null,
): void {
  const { name, reason: rank = 'it fits the role best' } = candidates[agent];
  const about = replacement ?? { reason: rank };
  const fields = typeof entryFields === 'function' ? entryFields(input) : entryFields;
  context.log('Bind', { ...fields, role, agent: name, ...about });
}

/**
 * Follows the latest `Bind` entry of the log, which another process may have written. An entry that was followed before is
 * not followed again: a slice may have been read before this process replaced the agent.
 *
 * @returns whether the log shows an entry
 */
function followLog(
  candidates: readonly AgentCandidate[],
  role: string,
  binding: Binding,
  { slice }: StepContext,
): boolean {
  for (const { eventType, payload, version } of [...slice()].reverse()) {
    if (eventType !== 'Bind' || !isObject(payload) || payload.role !== role) continue;
    const agent = candidates.findIndex(({ name }) => name === payload.agent);
    if (agent < 0) continue;
    if (version <= binding.seen) return true;
    binding.seen = version;
    if (agent !== binding.agent) binding.failures = 0;
    binding.agent = agent;
    return true;
  }
  return false;
}

/** Forgets the run that was used least recently, if there are too many; never one with a call in flight. */
function forgetOldest(bindings: Map<string, Binding>): void {
  if (bindings.size < MOST_RUNS) return;
  for (const [runId, { calls }] of bindings) {
    if (calls > 0) continue;
    bindings.delete(runId);
    return;
  }
}

function requireReplaceable(
  candidates: readonly AgentCandidate[],
  { role, on, changes = false }: ReplacementOptions,
): void {
  if (candidates.length === 0) {
    throw new InputError('no_candidates', `no agent can play ${role}`, 'give one or more');
  }
  if (!changes || candidates.length === 1 || (on !== undefined && !on.includes('*'))) return;
  throw new InputError(
    'unsafe_replacement',
    `the agents of ${role} change something, and another one would change it a second time`,
    'list in `on` the codes of errors after which nothing was changed',
  );
}
