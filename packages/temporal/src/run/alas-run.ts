import {
  applyEntry,
  cancel,
  codeOf,
  type Host,
  interpret,
  type Json,
  makeFaults,
  openRun,
  type Payloads,
  type Run,
  receiveMessages,
  wakeTime,
  write,
} from '@alas-jssp/workflow/interpreter';
import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure, CancellationScope, condition } from '@temporalio/workflow';
import { type Desk, goOn, lastOf, openDesk, outcomeOf, rest } from './desk.js';
import type { CarriedRun, RunOutcome, RunStart } from './protocol.js';
import { askWorker, digest, inputValue, type TemporalHost } from './temporal-host.js';
import { carriedOf, isFull, openWorld, RENEWED, renew, type World } from './world.js';

/** How long an interrupted run waits for its handlers, in milliseconds. */
const GRACE = 10_000;

/** The name of the owner in logs: the workflow itself owns the run, on any worker. */
const OWNER = 'temporal';

/** A run of a workflow: the interpreter, on a host of activities, timers and signals. */
export async function alasRun(start: RunStart): Promise<RunOutcome> {
  const desk = openDesk(start);
  CancellationScope.current().cancelRequested.catch(() => {
    desk.cancelled = true;
    if (desk.run !== undefined) cancel(desk.run, CANCEL);
  });
  // Effects are undone even when the whole workflow is cancelled.
  return CancellationScope.nonCancellable(() => runAt(desk));
}

const CANCEL = { reason: 'the workflow was cancelled', by: OWNER };

async function runAt(desk: Desk): Promise<RunOutcome> {
  const { start, state } = desk;
  const world = await openWorld(desk);
  const { host } = world;
  if (start.carried === undefined) begin(desk, host);
  else continueCarried(desk, world, start.carried);
  for (;;) {
    const run = open(desk, world);
    try {
      await interpret(run);
    } catch (error) {
      if (error === RENEWED) await renew(desk, world);
      if (codeOf(error) !== 'InjectedCrash') throw error;
      await settled(host);
      resume(desk, open(desk, world), host.isQuiet());
      continue;
    }
    if (state.end === undefined) {
      if (isFull(start)) await renew(desk, world);
      await awaitMessageOrDue(desk, run);
    } else if (!(await isOpenAgain(desk, world, state.end))) return end(desk, world);
    goOn(desk);
  }
}

/** Continues a run that began in another history. */
function continueCarried(desk: Desk, world: World, { ended }: CarriedRun): void {
  const run = open(desk, world);
  receiveMessages(run);
  // Attempts whose answers this history will not receive may still be running.
  const isQuiet = [...desk.state.effects.values()].every(
    ({ open: attempts }) => attempts.length === 0,
  );
  if (ended || !isQuiet) resume(desk, run, isQuiet);
}

/** Logs the first entry, and the approvals given in advance. */
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

/** Opens the run, to continue it from its logged state. */
function open(desk: Desk, { host, facts }: World): Run {
  const { state, start, cancelled } = desk;
  const { inject, maxConcurrency } = start;
  const violate = (code: string, output: Json) =>
    askWorker<Json>(`violate ${code}`, { kind: 'violate', code, output }, start);
  const run = openRun(host, state, {
    maxConcurrency,
    input: inputValue(facts, state.input),
    faults: inject && makeFaults(inject, digest, violate),
  });
  desk.run = run;
  if (cancelled) cancel(run, CANCEL);
  return run;
}

/** Waits for a message, or for the moment at which the run is due. */
async function awaitMessageOrDue(desk: Desk, run: Run): Promise<void> {
  const { inbox, state } = desk;
  rest(desk, outcomeOf(run));
  const wake = wakeTime(state);
  const hasNews = () => lastOf(inbox) > run.seen || (desk.cancelled && state.stop === undefined);
  if (wake === null) await condition(hasNews);
  else if (wake > Date.now()) await condition(hasNews, wake - Date.now());
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
    receiveMessages(run);
    seen = run.seen;
    if (state.end !== undefined) continue;
    resume(desk, run, world.host.isQuiet());
    return true;
  }
}

/** Logs that the run is resumed. */
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
