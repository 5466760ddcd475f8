import { env } from 'node:process';
import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { approve, deny, type Json, requireSoundWorkflow, type Workflow } from '@alas-jssp/workflow';
import { unlessAborted } from 'alas-jssp/llm';
import type { Environment } from '../tools/bearer-token.js';
import { shippedCompensations } from './compensations/shipped.js';
import { createEarlierCalls } from './earlier-calls.js';
import type { Guard, GuardAnswer, GuardLog } from './guard.js';
import { openGuardLog } from './guard-log.js';
import { applyRules, type GuardCatalogue, type GuardedTool } from './guarded-tool.js';
import { investigate } from './investigate.js';
import { packJson, unpackJson } from './packed-json.js';
import { shippedRules } from './policies/shipped.js';
import { type GuardPolicy, type GuardPolicyDraft, toGuardPolicy } from './policy.js';
import { requireUsablePolicy } from './policy-check.js';
import { recoverSessions, settleDoubts } from './recover.js';
import { createRepetitions, type RequestName } from './repetition.js';
import { type GuardReport, reportOf } from './report.js';
import { openMcpServers } from './servers/mcp-server.js';
import type { GuardServer, ServerSpec, ToolAnswer } from './servers/server.js';
import { serverSpecs } from './servers/specs.js';
import { type TrackedServer, trackServer } from './servers/tracked-server.js';
import { type CallCommand, GUARD_PROCESS, GUARD_READ } from './session/commands.js';
import { endSession } from './session/end-session.js';
import { serverOf } from './session/guarded-call.js';
import { type GuardSession, type SessionInput, startSession } from './session/session.js';
import type { CallRecord } from './session/session-log.js';
import { type StepWorld, sessionRegistry } from './session/session-steps.js';
import { sessionWorkflow } from './session/session-workflow.js';
import { compileValidators } from './session/validators.js';

/** The options of a guard. */
export interface GuardOptions {
  readonly log: GuardLog;
  /** Servers besides those of the policy: connected ones, or how to reach them. */
  readonly servers?: readonly (GuardServer | ServerSpec)[] | undefined;
  readonly policy: GuardPolicyDraft | GuardPolicy;
  /** Compensations and rules by name. Default: those that come with the guard. */
  readonly catalogue?: Partial<GuardCatalogue> | undefined;
  /** The environment variables of tokens and of servers. Default: those of this process. */
  readonly environment?: Environment | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A guard's log, servers and rules. */
interface GuardParts {
  readonly world: StepWorld;
  readonly servers: readonly TrackedServer[];
  readonly workflow: Workflow;
  readonly input: SessionInput;
  readonly clock: Clock;
}

/**
 * Opens a guard: takes back what earlier guards on the log have left, then starts the servers.
 *
 * @throws InputError for a policy that does not fit the servers, `no_server` for one that does not
 *   start, and as `openSqliteStore` does
 */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  const { clock = systemClock, environment = env, signal } = options;
  const policy = toGuardPolicy(options.policy);
  const catalogue = {
    compensations: options.catalogue?.compensations ?? shippedCompensations,
    rules: options.catalogue?.rules ?? shippedRules,
  };
  const { store, blobs, closeLog } = openGuardLog(options.log);
  const given = options.servers ?? [];
  const connected = given.filter((server): server is GuardServer => 'call' in server);
  const opened: TrackedServer[] = [];
  let session: GuardSession | undefined;
  const processes: { readonly server: string; readonly process: never }[] = [];
  try {
    const recovered = await recoverSessions({
      store,
      blobs,
      catalogue,
      environment,
      clock,
      connected,
    });
    const specs = [...serverSpecs(policy), ...given.filter((one) => !('call' in one))];
    const noteProcess = (server: string) => (process: object) => {
      const noted = { server, process } as never;
      processes.push(noted);
      session?.note(GUARD_PROCESS, noted);
    };
    const begun = await openMcpServers(specs as readonly ServerSpec[], ({ name }) => ({
      environment,
      onProcess: noteProcess(name),
      signal,
    }));
    opened.push(...begun.map(trackServer));
    const servers = [...opened, ...connected.map(trackServer)];
    requireDistinct(servers);
    const tools = applyRules(servers, policy, catalogue);
    requireUsablePolicy(policy, tools);
    const byName = new Map(servers.map((server) => [server.spec.name, server]));
    const validators = compileValidators(policy, store);
    const world = { store, blobs, policy, servers: byName, tools, validators, clock };
    const workflow = sessionWorkflow([...tools.values()], policy);
    requireSoundWorkflow(workflow, sessionRegistry(world));
    const input = {
      policy: policy as unknown as Json,
      servers: servers.map(({ spec }) => spec as unknown as Json),
      processes,
    };
    return createGuard({ world, servers, workflow, input, clock }, recovered, {
      onSession: (one) => {
        session = one;
      },
      closeLog,
    });
  } catch (error) {
    for (const server of opened) await server.close().catch(() => {});
    closeLog();
    throw error;
  }
}

function requireDistinct(servers: readonly GuardServer[]): void {
  const names = new Set<string>();
  for (const { spec } of servers) {
    if (names.has(spec.name)) {
      const hint = 'give each server its own name';
      throw new InputError('bad_policy', `two servers are named ${spec.name}`, hint);
    }
    names.add(spec.name);
  }
  if (names.size > 0) return;
  throw new InputError('bad_policy', 'there is no server', 'name one: guard -- COMMAND');
}

function createGuard(
  parts: GuardParts,
  recovered: readonly GuardReport[],
  { onSession, closeLog }: { onSession(session: GuardSession): void; closeLog(): void },
): Guard {
  const { world, servers, workflow, input, clock } = parts;
  const repetitions = createRepetitions();
  const earlierCalls = createEarlierCalls(world.store, world.store.runs());
  const sessionOf = new Map<number, GuardSession>();
  const ended: GuardReport[] = [];
  let current: Promise<GuardSession> | undefined;
  let calls = 0;
  let isClosed = false;
  /** The number of requests to end the session: no call begins as long as there is one. */
  let ends = 0;

  const session = (): Promise<GuardSession> => {
    if (current !== undefined) return current;
    const begun = startSession(world, workflow, copyOf(input), clock);
    current = begun;
    begun.then(onSession, () => {
      if (current === begun) current = undefined;
    });
    return begun;
  };
  const reportNow = ({ runId, reader }: GuardSession) =>
    reportOf(runId, reader.state, reader.calls());
  /** The session in progress; one that has ended is put away. */
  const openSession = async (): Promise<GuardSession | undefined> => {
    const begun = current;
    const open = await begun;
    if (open === undefined || !open.isOver()) return open;
    // Of calls that find it over, the first one puts it away.
    if (current !== begun) return openSession();
    putAway(reportNow(open));
    current = undefined;
    return undefined;
  };
  /** Keeps the last report of a session that has ended. */
  const putAway = (report: GuardReport) => {
    const older = ended.findIndex(({ session: name }) => name === report.session);
    if (older >= 0) ended.splice(older, 1);
    ended.push(report);
  };
  const answerOf = async (record: CallRecord, repeated: boolean): Promise<GuardAnswer> => {
    const { status, call } = record;
    const answer = await unpackJson(world.blobs, record.answer ?? null);
    const waiting = status === 'waiting-for-approval' && record.approval !== undefined;
    const by = world.tools.get(record.tool)?.approvers ?? [];
    const run = sessionOf.get(call)?.runId ?? '';
    return {
      status: status === 'running' || status === 'undo-failed' ? 'in-doubt' : status,
      message: repeated ? `this repeats call ${call}: ${record.message}` : record.message,
      call,
      result: answer as unknown as ToolAnswer | null,
      ...(repeated && { repeated }),
      ...(waiting && { approval: { run, name: record.approval as string, by } }),
    };
  };
  const look = async (open: GuardSession) => {
    for (const record of open.reader.calls()) {
      if (record.status === 'in-doubt') await investigate(world, open, record);
    }
  };
  const isOpenCall = (call: number): boolean => {
    const { status } = sessionOf.get(call)?.reader.callOf(call) ?? {};
    return status === 'in-doubt' || status === 'running' || status === 'waiting-for-approval';
  };

  const change = async (
    tool: GuardedTool,
    given: Json,
    name: RequestName,
    signal?: AbortSignal,
  ) => {
    const packed = await packJson(world.blobs, given);
    const begun = (await openSession()) ?? (await session());
    // Nothing is awaited until the call is known: two equal requests at once are one call.
    const known = repetitions.find(tool.exposed, given, name, isOpenCall);
    if (known !== undefined) {
      const of = sessionOf.get(known) as GuardSession;
      const found = await unlessGone(of.outcomeOf(known), signal);
      repetitions.deliver(known);
      return answerOf(found, true);
    }
    const { requestKey } = name;
    const earlier = requestKey && earlierCalls.find(requestKey, tool.exposed, packed);
    if (earlier) {
      const message = `this repeats a call of a committed session: ${earlier.message}`;
      return { ...(await answerOf(earlier, true)), call: null, message };
    }
    if (ends > 0 || begun.isOver()) return refusal('the session is being ended');
    const call = ++calls;
    const kind = tool.approvers === undefined ? 'call' : 'hold';
    const command: CallCommand = {
      kind,
      call,
      node: tool.node,
      tool: tool.exposed,
      server: tool.server,
      input: packed,
      ...(requestKey !== undefined && { requestKey }),
    };
    begun.post(command);
    // Not before it: a call that the log did not take, on a full disk, is none.
    repetitions.add(call, tool.exposed, given, name);
    sessionOf.set(call, begun);
    const found = await unlessGone(begun.outcomeOf(call), signal);
    repetitions.deliver(call);
    return answerOf(found, false);
  };

  const end = async (act: (open: GuardSession) => Promise<void>): Promise<GuardReport> => {
    const open = (await openSession()) ?? (await session());
    ends++;
    try {
      await act(open);
      if (!open.isOver()) return reportNow(open);
      await settleDoubts(world, open.reader, open.runId, clock);
      const report = reportNow(open);
      putAway(report);
      // Another request may have ended it before, and a call may have begun the next session.
      const seen = current;
      if ((await seen) === open && current === seen) current = undefined;
      return report;
    } finally {
      ends--;
    }
  };
  const abort = (reason: string, by = 'client') =>
    end((open) => endSession(world, servers, open, clock, reason, by));
  const commit = (evenInDoubt: boolean) =>
    end(async (open) => {
      // Calls in progress belong to the session.
      await Promise.all(open.reader.calls().map(({ call }) => open.outcomeOf(call)));
      await look(open);
      if (!evenInDoubt && open.reader.calls().some(({ status }) => status === 'in-doubt')) return;
      open.post({ kind: 'commit' });
      await open.ended.catch(() => {});
    });
  const decide = (call: number, act: (run: string, name: string) => void) => {
    const of = sessionOf.get(call);
    const { approval } = of?.reader.callOf(call) ?? {};
    if (of !== undefined && approval !== undefined) return act(of.runId, approval);
    throw new InputError('no_approval', `call ${call} waits for no approval`, 'name one that does');
  };

  return {
    tools: offered(world.tools),
    refusedTools: [...world.tools.values()].flatMap(({ exposed, rules, refused = '' }) =>
      rules === undefined ? [{ name: exposed, reason: refused }] : [],
    ),
    recovered,
    async call(name, given, { signal, ...request } = {}) {
      if (isClosed || ends > 0) return refusal('the session is being ended');
      const tool = world.tools.get(name);
      if (tool === undefined) {
        return refusal(`there is no tool ${name}; ${suggestNames(name, [...world.tools.keys()])}`);
      }
      if (tool.rules === undefined) return refusal(`${name} is refused: ${tool.refused}`);
      if (!isObject(given)) return refusal('the input is no object');
      const json = copyOf(given as Json);
      try {
        if (tool.rules.access !== 'read') return await change(tool, json, request, signal);
        return await read(world, (await openSession()) ?? (await session()), tool, json, signal);
      } catch (error) {
        if (error instanceof InputError) return refusal(error.message);
        throw error;
      }
    },
    async status() {
      const open = await openSession();
      if (open === undefined) return ended.at(-1) ?? reportNow(await session());
      await look(open);
      return reportNow(open);
    },
    async statusOf(call) {
      const of = sessionOf.get(call);
      const record = of?.reader.callOf(call);
      if (of === undefined || record === undefined) return refusal(`there is no call ${call}`);
      if (record.status === 'in-doubt' && !of.isOver()) await investigate(world, of, record);
      repetitions.deliver(call);
      return answerOf(of.reader.callOf(call) ?? record, false);
    },
    abort,
    commit: () => commit(false),
    approve: (call, by) =>
      decide(call, (run, name) => void approve(world.store, run, name, by, clock)),
    deny: (call, by, reason) =>
      decide(call, (run, name) => void deny(world.store, run, name, by, reason, clock)),
    async close() {
      isClosed = true;
      try {
        const open = await openSession().catch(() => undefined);
        if (open !== undefined) {
          const hasChanges = open.reader.calls().length > 0;
          const keeps = !hasChanges || world.policy.onClose === 'commit';
          await (keeps
            ? commit(true)
            : abort('the client went without a commit', 'alas-jssp guard'));
        }
      } finally {
        // Also if the log cannot be written any more: the next guard takes the session back.
        for (const server of servers) await server.close().catch(() => {});
        closeLog();
      }
      return ended;
    },
  };
}

/** The longest timer. */
const LONGEST = 2 ** 31 - 1;

/** Runs a read beside the session, and logs it. */
async function read(
  world: StepWorld,
  session: GuardSession,
  tool: GuardedTool,
  input: Json,
  signal: AbortSignal | undefined,
): Promise<GuardAnswer> {
  const { server, listed } = tool;
  const noted = { server, tool: listed.name, input: await packJson(world.blobs, input) };
  const { timeoutSeconds = world.policy.timeoutSeconds } = tool.rules ?? {};
  const limit = AbortSignal.timeout(Math.min(timeoutSeconds * 1000, LONGEST));
  const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const key = `${session.runId}/read`;
    const sent = serverOf(world, tool).call(listed.name, input as never, { key, signal: until });
    const result = await unlessAborted(sent, until);
    const output = await packJson(world.blobs, result as unknown as Json);
    session.note(GUARD_READ, { ...noted, output });
    return { status: 'done', message: 'done', call: null, result };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = limit.aborted ? `took longer than ${timeoutSeconds} s` : errorLine(error);
    session.note(GUARD_READ, { ...noted, error: reason });
    return refusal(`${reason}; a read can be repeated`);
  }
}

function refusal(reason: string): GuardAnswer {
  return { status: 'refused', message: `refused: ${reason}`, call: null, result: null };
}

/** The tools that have rules, as the client sees them. */
function offered(tools: ReadonlyMap<string, GuardedTool>): Guard['tools'] {
  return [...tools.values()].flatMap(({ exposed, listed, rules }) => {
    if (rules === undefined) return [];
    const { title, description, inputSchema, outputSchema } = listed;
    const annotations = {
      ...listed.annotations,
      readOnlyHint: rules.access === 'read',
      destructiveHint: rules.access === 'irreversible',
      idempotentHint: rules.idempotent,
    };
    return [{ name: exposed, title, description, inputSchema, outputSchema, annotations }];
  });
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Waits unless the caller goes first. */
function unlessGone<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waited;
  return new Promise((resolve, reject) => {
    const leave = () => reject(new AlasError('Cancelled', 'the client has cancelled its request'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
