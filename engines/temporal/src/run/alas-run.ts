import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  applyEntry,
  cancel,
  codeOf,
  declaresSchemas,
  decodeState,
  drain,
  effectsOf,
  emptyState,
  encodeState,
  type RunState as FoldedState,
  type GivenClaim,
  type Host,
  interpret,
  type Json,
  type LogEntry,
  makeFaults,
  messageFault,
  openRun,
  outlivesEnd,
  type Payloads,
  type Run,
  rootOutputs,
  takeMessages,
  type Workflow,
  wakeTime,
  write,
} from 'alas-jssp/interpreter';
import { createSchemaChecks } from 'alas-jssp/interpreter/schema-check';
import { type Children, createChildren } from './children.js';
import type { ClaimRequest } from './claim-workflow.js';
import { type Claims, createClaims } from './claims.js';
import { createMemoryLog, type MemoryLog } from './memory-log.js';
import {
  type CarriedRun,
  claimIdOf,
  RESTS,
  type RegistryFacts,
  type RunMessage,
  type RunOutcome,
  type RunStart,
  type RunState,
} from './protocol.js';
import {
  askWorker,
  createTemporalHost,
  digest,
  type Inbox,
  inputDatum,
  type TemporalHost,
} from './temporal-host.js';

/** Sends a run a message: of the kinds that the inbox of a log knows, such as `signal` and `approve`. */
export const messageSignal = defineSignal<[RunMessage]>('message');

/** Sends a run a message and gives its number; refuses what the run could not make sense of. */
export const postUpdate = defineUpdate<number, [RunMessage]>('post');

/** Entries of the log from a version on, as many as fit into an answer. */
export const entriesQuery = defineQuery<readonly LogEntry[], [number]>('entries');

/** Where a run is, and how it ended. */
export const statusQuery = defineQuery<RunState>('status');

/** Bytes of entries that go into one answer to a query. */
const PAGE = 1_000_000;

/** Milliseconds for which the handlers of a run that broke off are waited for. */
const GRACE = 10_000;

/** The name of the owner in logs: the workflow itself has the run, whatever worker is at it. */
const OWNER = 'temporal';

/** A run as messages and queries find it. */
interface Desk {
  readonly start: RunStart;
  readonly log: MemoryLog;
  readonly state: FoldedState;
  readonly inbox: Inbox;
  /** The interpretation that goes on, or the last. */
  run: Run | undefined;
  /** There while it waits, and when it has ended. */
  outcome: RunOutcome | undefined;
  cancelled: boolean;
  token: number;
}

/** A run of a workflow: the interpreter, in a world of activities, timers and signals. */
export async function alasRun(start: RunStart): Promise<RunOutcome> {
  const desk = openDesk(start);
  CancellationScope.current().cancelRequested.catch(() => {
    desk.cancelled = true;
    if (desk.run !== undefined) cancel(desk.run, CANCEL);
  });
  // What was done is undone even when all of it is cancelled.
  return CancellationScope.nonCancellable(() => runAt(desk));
}

const CANCEL = { reason: 'the workflow was cancelled', by: OWNER };

function openDesk(start: RunStart): Desk {
  const { carried } = start;
  const inbox = openInbox(start);
  const desk: Desk = {
    ...{ start, inbox, log: createMemoryLog(carried?.versions ?? 0), state: stateAt(start) },
    ...{ token: carried?.token ?? 1, run: undefined, outcome: undefined, cancelled: false },
  };
  const { log, state } = desk;
  const take = ({ kind, data }: RunMessage): number => {
    const id = inbox.add(kind, data);
    if (desk.run !== undefined) takeMessages(desk.run);
    return id;
  };
  setHandler(messageSignal, (message) => void take(message));
  setHandler(postUpdate, take, { validator: (message) => requireMessage(state, message) });
  setHandler(entriesQuery, (from) => pageOf(log.read({ from })));
  setHandler(statusQuery, () => {
    const { outcome } = desk;
    return { status: outcome?.status ?? 'RUNNING', versions: log.versions, outcome };
  });
  return desk;
}

function openInbox({ runId, carried }: RunStart): Inbox {
  const messages = [...(carried?.inbox ?? [])];
  let last = carried?.lastMessage ?? 0;
  return {
    messages,
    add(kind, data) {
      messages.push({ id: ++last, runId, ts: new Date().toISOString(), kind, data });
      return last;
    },
  };
}

function lastOf({ messages }: Inbox): number {
  return messages.at(-1)?.id ?? 0;
}

/** The state with which a run, or a further part of it, begins. */
function stateAt({ runId, workflow, input, seed, carried }: RunStart): FoldedState {
  const state = emptyState(runId);
  if (carried === undefined) return state;
  const { startedAt, versions } = carried;
  return decodeState({ ...state, workflow, input, seed, startedAt, versions }, carried.state);
}

function requireMessage({ end }: FoldedState, { kind, data }: RunMessage): void {
  const refuse = (code: string, text: string) => {
    throw ApplicationFailure.nonRetryable(text, code);
  };
  if (!KINDS.includes(kind)) refuse('bad_message', `a run takes no message '${kind}'`);
  const fault = messageFault(kind, (data ?? {}) as Readonly<Record<string, Json>>);
  if (fault !== undefined) {
    refuse('bad_message', `a message '${kind}' without '${fault[0]}'; give a ${fault[1]}`);
  }
  if (end !== undefined && !outlivesEnd(kind))
    refuse('run_ended', `the run has ended (${end.status})`);
}

const KINDS = ['signal', 'approve', 'deny', 'cancel', 'compensate', 'settle', 'answer'];

function pageOf(entries: Iterable<LogEntry>): LogEntry[] {
  const page: LogEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    page.push(entry);
    bytes += JSON.stringify(entry.payload).length;
    if (bytes > PAGE) break;
  }
  return page;
}

async function runAt(desk: Desk): Promise<RunOutcome> {
  const { start, state } = desk;
  const world = await openWorld(desk);
  const { host } = world;
  if (start.carried === undefined) begin(desk, host);
  else takeUp(desk, world, start.carried);
  for (;;) {
    const run = open(desk, world);
    try {
      await interpret(run);
    } catch (error) {
      if (error === RENEWED) await renew(desk, world);
      if (codeOf(error) !== 'InjectedCrash') throw error;
      await settled(host);
      resume(desk, open(desk, world), host.inFlight.size === 0);
      continue;
    }
    if (state.end === undefined) {
      if (isFull(start)) await renew(desk, world);
      await awaitNews(desk, run);
    } else if (!(await isOpenAgain(desk, world, state.end))) return end(desk, world);
    goOn(desk);
  }
}

/** Takes up a run that began in another history. */
function takeUp(desk: Desk, world: World, { ended }: CarriedRun): void {
  const run = open(desk, world);
  takeMessages(run);
  // Attempts of which nothing will be heard here may be at work still.
  const isQuiet = [...desk.state.effects.values()].every(
    ({ open: attempts }) => attempts.length === 0,
  );
  if (ended || !isQuiet) resume(desk, run, isQuiet);
}

/** The surroundings of a run in one history. */
interface World {
  readonly host: TemporalHost;
  readonly facts: RegistryFacts;
  readonly claims: Claims;
  readonly children: Children;
}

async function openWorld(desk: Desk): Promise<World> {
  const { start, log, state, inbox } = desk;
  const { runId, workflow, leaseSeconds, within, carried } = start;
  const facts = carried?.facts ?? (await lookUp(start));
  const askClaim = (request: ClaimRequest) => {
    const work = { kind: 'claim', id: claimIdOf(digest(request.key)), request } as const;
    return askWorker<GivenClaim>(`claim ${request.key}`, work, start);
  };
  const claims = createClaims(state, digest, carried?.claims ?? [], askClaim);
  const children = createChildren(start, digest, carried?.children ?? []);
  const host = createTemporalHost({
    ...{ runId, workflow, log, facts, leaseSeconds, inbox, claims, children, within },
    check: checkOf(workflow),
    onAppend: () => {
      if (desk.run !== undefined && isFull(start)) drain(desk.run, RENEWED);
    },
  });
  return { host, facts, claims, children };
}

/** Broken off so, a run is gone on with in a new history. */
const RENEWED = ApplicationFailure.nonRetryable('gone on with in a new history', 'Renewed');

/** Whether the history is so long that the run should go on in a new one. */
function isFull({ renewAfter }: RunStart): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength >= (renewAfter ?? Number.POSITIVE_INFINITY);
}

/** Goes on in a new history; nothing is in flight but handlers that nobody waits for. */
async function renew(desk: Desk, world: World): Promise<never> {
  await condition(allHandlersFinished);
  await world.claims.settled();
  const { start } = desk;
  return continueAsNew<typeof alasRun>({ ...start, carried: carriedOf(desk, world) });
}

function carriedOf({ state, token, inbox }: Desk, world: World): CarriedRun {
  const { claims, children, facts } = world;
  const { startedAt, versions } = state;
  const ended = state.end !== undefined;
  return {
    ...{ startedAt, versions, token, facts, ended, state: encodeState(state) },
    inbox: inbox.messages.filter(({ id }) => id > state.inbox),
    lastMessage: Math.max(lastOf(inbox), state.inbox),
    claims: [...claims.held],
    children: [...children.ends],
    before: workflowInfo().runId,
  };
}

/** Asks a worker what it knows of the handlers; it refuses what could not be finished. */
async function lookUp(start: RunStart): Promise<RegistryFacts> {
  const { workflow, input, unchecked = false, inject } = start;
  const violations = (inject?.rules ?? []).flatMap((rule) =>
    rule.kind === 'violation' ? [rule.code] : [],
  );
  const call = { kind: 'facts', workflow, input, unchecked, violations } as const;
  try {
    return await askWorker('look up handlers', call, start);
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)
      throw error.cause;
    throw error;
  }
}

function checkOf(workflow: Workflow): Host['check'] {
  if (!declaresSchemas(workflow)) return undefined;
  const checks = createSchemaChecks(workflow.schemas);
  return (schema, value) => checks(schema)(value);
}

/** Writes the first entry, and what was approved beforehand. */
function begin({ start, log, state, token }: Desk, host: Host): void {
  const { runId, workflow, input, seed, software, approvals } = start;
  const ts = new Date(host.now()).toISOString();
  const payload = { workflow, input, seed, software, owner: OWNER, token } as unknown as Json;
  const about = { runId, ts, nodeId: '', correlationId: runId };
  const entries = log.append([{ ...about, eventType: 'StartRun', payload }]);
  for (const entry of entries) applyEntry(state, entry);
  const run = openRun(host, state);
  for (const [name, by] of Object.entries(approvals)) write(run, '', 'Approve', { name, by });
}

/** Opens the run, to go on with it from where its log says it is. */
function open(desk: Desk, { host, facts }: World): Run {
  const { state, start, cancelled } = desk;
  const { inject, maxConcurrency } = start;
  const violate = (code: string, output: Json) =>
    askWorker<Json>(`violate ${code}`, { kind: 'violate', code, output }, start);
  const run = openRun(host, state, {
    maxConcurrency,
    input: inputDatum(facts, state.input),
    faults: inject && makeFaults(inject, digest, violate),
  });
  desk.run = run;
  if (cancelled) cancel(run, CANCEL);
  return run;
}

/** Waits for a message, or for the moment at which the run wants to be taken up again. */
async function awaitNews(desk: Desk, run: Run): Promise<void> {
  const { inbox, state } = desk;
  rest(desk, outcomeOf(run));
  const wake = wakeTime(state);
  const hasNews = () => lastOf(inbox) > run.seen || (desk.cancelled && state.stop === undefined);
  if (wake === null) await condition(hasNews);
  else if (wake > Date.now()) await condition(hasNews, wake - Date.now());
}

/** Tells who asks the server that the run has come to rest: no worker need be asked for that. */
function rest(desk: Desk, outcome: RunOutcome): void {
  desk.outcome = outcome;
  upsertMemo({ [RESTS]: outcome.status });
}

function goOn(desk: Desk): void {
  desk.outcome = undefined;
  upsertMemo({ [RESTS]: null });
}

/** Waits, as long as a run in doubt stays open, until a message opens it again. */
async function isOpenAgain(
  desk: Desk,
  world: World,
  { status }: Payloads['EndRun'],
): Promise<boolean> {
  const { inbox, state, start } = desk;
  desk.outcome = outcomeOf(desk.run as Run);
  const isLeftOpen = status === 'IN_DOUBT' || status === 'COMPENSATION_FAILED';
  if (!isLeftOpen || start.openSeconds === 0) return false;
  rest(desk, desk.outcome);
  const until = Date.now() + start.openSeconds * 1000;
  for (let { seen } = desk.run as Run; ; ) {
    const left = until - Date.now();
    if (left <= 0 || !(await condition(() => lastOf(inbox) > seen, left))) return false;
    const run = open(desk, world);
    takeMessages(run);
    seen = run.seen;
    if (state.end !== undefined) continue;
    resume(desk, run, world.host.inFlight.size === 0);
    return true;
  }
}

/** Tells the log that the run is gone on with. */
function resume(desk: Desk, run: Run, gone: boolean): void {
  desk.token++;
  write(run, '', 'Resume', { owner: OWNER, token: desk.token, gone });
}

async function settled({ inFlight }: TemporalHost): Promise<void> {
  if (inFlight.size > 0) await condition(() => inFlight.size === 0, GRACE);
}

async function end(desk: Desk, world: World): Promise<RunOutcome> {
  const { outcome, start } = desk;
  await world.claims.settled();
  const isChild = start.within.length > 0;
  const done = { ...(outcome as RunOutcome), ...(isChild && { carried: carriedOf(desk, world) }) };
  const { status, error } = done;
  if (status === 'COMPLETED') return done;
  const reason = error === undefined ? '' : `: ${error.code}, ${error.message}`;
  throw ApplicationFailure.create({
    message: `the run ${start.runId} is ${status}${reason}`,
    type: status,
    nonRetryable: true,
    details: [done],
    category: ApplicationFailureCategory.BENIGN,
  });
}

function outcomeOf(run: Run): RunOutcome {
  const { state } = run;
  const { runId, versions } = state;
  const {
    status,
    output = null,
    error,
    remaining = [],
    inDoubt = [],
  } = state.end ?? {
    status: 'WAITING' as const,
  };
  return {
    ...{ runId, status, error, remaining, inDoubt, versions },
    output: status === 'COMPLETED' ? output : null,
    ...effectsOf(state),
    outputs: rootOutputs(run),
  };
}
