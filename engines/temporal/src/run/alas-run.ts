import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import {
  applyEntry,
  cancel,
  codeOf,
  declaresSchemas,
  effectsOf,
  emptyState,
  type RunState as FoldedState,
  type Host,
  type InboxMessage,
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
import { createMemoryLog, type MemoryLog } from './memory-log.js';
import type { RegistryFacts, RunMessage, RunOutcome, RunStart, RunState } from './protocol.js';
import {
  askWorker,
  createTemporalHost,
  digest,
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
  readonly inbox: InboxMessage[];
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
  const { runId } = start;
  const desk: Desk = {
    ...{ start, log: createMemoryLog(0), state: emptyState(runId), inbox: [], token: 1 },
    ...{ run: undefined, outcome: undefined, cancelled: false },
  };
  const { inbox, log, state } = desk;
  const take = ({ kind, data }: RunMessage): number => {
    inbox.push({ id: inbox.length + 1, runId, ts: new Date().toISOString(), kind, data });
    if (desk.run !== undefined) takeMessages(desk.run);
    return inbox.length;
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
  const { start, log, state, inbox } = desk;
  const { runId, leaseSeconds, workflow } = start;
  const facts = await lookUp(start);
  const check = checkOf(workflow);
  const host = createTemporalHost({ runId, workflow, log, facts, leaseSeconds, check, inbox });
  begin(desk, host);
  for (;;) {
    const run = open(desk, host, facts);
    try {
      await interpret(run);
    } catch (error) {
      if (codeOf(error) !== 'InjectedCrash') throw error;
      await settled(host);
      resume(desk, open(desk, host, facts), host);
      continue;
    }
    if (state.end === undefined) await awaitNews(desk, run);
    else if (!(await isOpenAgain(desk, host, facts, state.end))) return end(desk);
    desk.outcome = undefined;
  }
}

/** Asks a worker what it knows of the handlers; it refuses what could not be finished. */
async function lookUp(start: RunStart): Promise<RegistryFacts> {
  const { workflow, input, leaseSeconds, unchecked = false, inject } = start;
  const violations = (inject?.rules ?? []).flatMap((rule) =>
    rule.kind === 'violation' ? [rule.code] : [],
  );
  const call = { kind: 'facts', workflow, input, unchecked, violations } as const;
  try {
    return await askWorker('look up handlers', call, leaseSeconds);
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
function open(desk: Desk, host: Host, facts: RegistryFacts): Run {
  const { state, start, cancelled } = desk;
  const { inject, maxConcurrency, leaseSeconds } = start;
  const violate = (code: string, output: Json) =>
    askWorker<Json>(`violate ${code}`, { kind: 'violate', code, output }, leaseSeconds);
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
  desk.outcome = outcomeOf(run);
  const wake = wakeTime(state);
  const hasNews = () => inbox.length > run.seen || (desk.cancelled && state.stop === undefined);
  if (wake === null) await condition(hasNews);
  else if (wake > Date.now()) await condition(hasNews, wake - Date.now());
}

/** Waits, as long as a run in doubt stays open, until a message opens it again. */
async function isOpenAgain(
  desk: Desk,
  host: TemporalHost,
  facts: RegistryFacts,
  { status }: Payloads['EndRun'],
): Promise<boolean> {
  const { inbox, state, start } = desk;
  desk.outcome = outcomeOf(desk.run as Run);
  if (status !== 'IN_DOUBT' && status !== 'COMPENSATION_FAILED') return false;
  const until = Date.now() + start.openSeconds * 1000;
  for (let { seen } = desk.run as Run; ; ) {
    const left = until - Date.now();
    if (left <= 0 || !(await condition(() => inbox.length > seen, left))) return false;
    const run = open(desk, host, facts);
    takeMessages(run);
    seen = run.seen;
    if (state.end !== undefined) continue;
    resume(desk, run, host);
    return true;
  }
}

/** Tells the log that the run is gone on with. */
function resume(desk: Desk, run: Run, { inFlight }: TemporalHost): void {
  desk.token++;
  const gone = inFlight.size === 0;
  write(run, '', 'Resume', { owner: OWNER, token: desk.token, gone });
}

async function settled({ inFlight }: TemporalHost): Promise<void> {
  if (inFlight.size > 0) await condition(() => inFlight.size === 0, GRACE);
}

function end({ outcome, start }: Desk): RunOutcome {
  const done = outcome as RunOutcome;
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
