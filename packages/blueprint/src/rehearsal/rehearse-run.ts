import { createTrialSystem, type TrialSystem } from '@alas-jssp/agents';
import {
  approve,
  cancelRun,
  createSimulation,
  deny,
  type Handler,
  type Json,
  type LogEntry,
  type RunResult,
  type RunSimulation,
  resumeRun,
  runWorkflow,
  type SimulatedProcess,
  verifyLog,
  type Workflow,
} from '@alas-jssp/workflow';
import type { AgentFile } from '../factory/agent-file.js';
import { createDraftRegistry, type RunnableDraft } from '../running/draft-registry.js';
import { toolOfNode } from '../template/compile.js';
import type { TemplateNode } from '../template/template.js';
import { type AccountingProblem, accountForEffects } from './accounting.js';
import { faultOf, type RunFaults } from './fault.js';
import type { CallingWorld } from './faulty-call.js';
import { createKillingStore } from './killing-store.js';
import { type BrokenPromise, findBrokenPromises } from './promises-held.js';
import { type RehearsedCall, type RehearsedTools, rehearseTools } from './rehearsed-tools.js';
import { disturbAgent, sampleAgent } from './sampled-agents.js';

/** A run to rehearse. */
export interface RunToRehearse {
  readonly draft: RunnableDraft;
  readonly workflow: Workflow;
  readonly input: Json;
  readonly seed: number;
  readonly faults: RunFaults;
  /** The trial system of a seed. Default: made from the declarations of the catalogue. */
  readonly openTrial?: ((seed: number) => Promise<TrialSystem>) | undefined;
  /** The handler of an agent that is code; undefined for those whose output is drawn. */
  readonly codeOf?: ((node: TemplateNode, agent: AgentFile) => Handler | undefined) | undefined;
}

/** A problem of a rehearsed run. */
export interface RunProblem {
  readonly code: AccountingProblem['code'] | BrokenPromise['code'] | 'no end' | 'bad log';
  readonly message: string;
}

/** The end of a rehearsed run. */
export interface RehearsedRun {
  /** Undefined if it has not begun. */
  readonly result: RunResult | undefined;
  readonly problems: readonly RunProblem[];
  /** Faults and messages, each with its time. */
  readonly story: readonly string[];
  readonly calls: readonly RehearsedCall[];
  readonly entries: readonly LogEntry[];
  readonly appends: number;
  /** Seconds of simulated time. */
  readonly seconds: number;
}

/** The id of rehearsed runs. */
const RUN_ID = 'rehearsal';
/** Visits of a process to a run that waits. */
const MOST_VISITS = 50;
/** Seconds until people decide, and after which they cancel a run that waits for what is not given. */
const PEOPLE_SECONDS = 20;

/** A rehearsed run in progress. */
interface Rehearsal {
  readonly run: RunToRehearse;
  readonly simulation: RunSimulation;
  readonly tools: RehearsedTools;
  readonly notes: string[];
  world(): CallingWorld;
  /** The process that has the run. */
  process: SimulatedProcess | undefined;
  readonly killed: Set<SimulatedProcess>;
  result: RunResult | undefined;
}

/** Runs a workflow in simulated time against a trial system, with faults, and checks what it has done. */
export async function rehearseRun(run: RunToRehearse): Promise<RehearsedRun> {
  const { seed, faults, draft } = run;
  const notes: string[] = [];
  const killing = createKillingStore(
    faults.kills,
    ({ append, when }) => {
      note(`the process is killed ${when} entry ${append}`);
      const { process, killed } = rehearsal;
      if (process !== undefined) killed.add(process);
      process?.kill();
    },
    (append) => {
      if (append === faults.cancelAt) cancel(rehearsal);
    },
  );
  const { store } = killing;
  const simulation = createSimulation({ seed, store });
  const note = (text: string) => {
    notes.push(`${(simulation.clock.now() / 1000).toFixed(1)} s: ${text}`);
  };
  const entriesNow = () => (store.runs().includes(RUN_ID) ? [...readRun(rehearsal)].length : 0);
  const trial = (await run.openTrial?.(seed)) ?? createTrialSystem(draft.catalogue, { seed });
  const rehearsal: Rehearsal = {
    run,
    simulation,
    notes,
    process: undefined,
    killed: new Set(),
    result: undefined,
    tools: rehearseTools(trial, () => rehearsal.world(), entriesNow),
    world: () => worldOf(rehearsal, note),
  };
  const problems: RunProblem[] = [];
  await drive(rehearsal);
  const { result, tools } = rehearsal;
  const entries = [...readRun(rehearsal)];
  if (result === undefined || result.status === 'WAITING') {
    problems.push({
      code: 'no end',
      message: `it has not ended: ${result?.status ?? 'no result'}`,
    });
  } else {
    problems.push(...accountForEffects(trial.effects(), tools.calls, result));
  }
  problems.push(...(await findBrokenPromises(draft, tools.calls, entries)));
  const log = verifyLog(store);
  const [fault] = [...log.faults, ...log.runs.flatMap((one) => one.problems)];
  if (!log.valid) problems.push({ code: 'bad log', message: JSON.stringify(fault ?? null) });
  const { calls } = tools;
  const seconds = simulation.clock.now() / 1000;
  const story = [...notes, ...storyOf(entries, result)];
  return { result, problems, story, calls, entries, appends: killing.appends(), seconds };
}

function worldOf(
  { run, simulation, process, killed }: Rehearsal,
  note: CallingWorld['note'],
): CallingWorld {
  const { workflow, faults, draft } = run;
  return {
    clock: simulation.clock,
    faultAt: (place) => faultOf(faults, place),
    timeoutOf: (node) => {
      const { policies } = workflow;
      const policy = policies[`item/${node}`] ?? policies[`node/${node}`];
      return policy?.timeout?.seconds ?? 60;
    },
    refusalOf: (id) => {
      const node = draft.template.nodes.find((one) => one.id === id);
      return node && toolOfNode(node, draft.catalogue)?.refusals[0];
    },
    isAlive: () => process !== undefined && !killed.has(process),
    note,
  };
}

/** Lets processes run the workflow until nothing is due and no answer is left. */
async function drive(rehearsal: Rehearsal): Promise<void> {
  const { simulation } = rehearsal;
  const { store } = simulation;
  let handled = -1;
  for (let visit = 0; visit < MOST_VISITS; visit++) {
    simulation.start(visit === 0 ? 'first' : 'later', (process) => own(rehearsal, process));
    await simulation.run();
    const last = [...store.lastMessages()].find(([id]) => id === RUN_ID)?.[1] ?? 0;
    // A message that came at the very end is not taken any more.
    if (last <= (store.leaseOf(RUN_ID)?.taken ?? 0) || last === handled) return;
    handled = last;
  }
}

/** A process that runs the workflow, or resumes it, and decides what it waits for. */
async function own(rehearsal: Rehearsal, process: SimulatedProcess): Promise<void> {
  const { run, simulation } = rehearsal;
  const { workflow, input, seed } = run;
  rehearsal.process = process;
  const registry = process.registry(registryOf(rehearsal));
  const options = { ...process.options, registry };
  for (let visit = 0; visit < MOST_VISITS; visit++) {
    const begun = simulation.store.runs().includes(RUN_ID);
    const result = begun
      ? await resumeRun(process.store, RUN_ID, options)
      : await runWorkflow(workflow, input, {
          ...options,
          store: process.store,
          runId: RUN_ID,
          seed,
          unchecked: true,
        });
    rehearsal.result = result;
    if (result.status !== 'WAITING') return;
    await process.options.clock.sleep(PEOPLE_SECONDS * 1000);
    decide(rehearsal, process, result);
  }
}

function registryOf({ run, tools, world }: Rehearsal) {
  const { draft, seed } = run;
  return createDraftRegistry(draft, {
    toolset: tools,
    agentHandler: (node, agent) => {
      const code = agent && run.codeOf?.(node, agent);
      return code === undefined ? sampleAgent(draft, node, seed, world) : disturbAgent(code, world);
    },
  });
}

/** People decide the approvals that a run waits for. */
function decide(
  { run, notes }: Rehearsal,
  { store, options }: SimulatedProcess,
  { waitsFor }: RunResult,
): void {
  const { faults, draft } = run;
  for (const { name } of waitsFor) {
    const isMeant = faults.approval === null || faults.approval === name;
    const decisions = isMeant ? faults.decisions : 'given';
    const approver = approverOf(draft, name);
    notes.push(
      `${(options.clock.now() / 1000).toFixed(1)} s: the approval ${name} is ${decisions}`,
    );
    if (decisions === 'given') approve(store, RUN_ID, name, approver, options.clock);
    else if (decisions === 'denied')
      deny(store, RUN_ID, name, approver, 'as rehearsed', options.clock);
    else {
      if (decisions === 'given by a stranger') {
        try {
          approve(store, RUN_ID, name, 'a stranger', options.clock);
        } catch {
          // It is refused, as it should be.
        }
      }
      cancelRun(store, RUN_ID, { by: 'rehearsal', reason: 'it is not approved' }, options.clock);
    }
  }
}

/** A person who may give an approval. */
function approverOf({ template }: RunnableDraft, name: string): string {
  const node = template.nodes.find(({ details }) => {
    const pattern = details.approval
      ?.split(/\{[^}]*\}/)
      .map(escapePattern)
      .join('.*');
    return pattern !== undefined && new RegExp(`^${pattern}$`).test(name);
  });
  return node?.details.approvers?.[0] ?? 'a person';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function cancel({ simulation, process }: Rehearsal): void {
  if (process === undefined || !simulation.store.runs().includes(RUN_ID)) return;
  const { clock } = process.options;
  try {
    cancelRun(simulation.store, RUN_ID, { by: 'rehearsal', reason: 'as rehearsed' }, clock);
  } catch {
    // The run has ended.
  }
}

function readRun({ simulation }: Rehearsal): Iterable<LogEntry> {
  const { store } = simulation;
  return store.runs().includes(RUN_ID) ? store.read({ runId: RUN_ID }) : [];
}

/** The log of a run in lines. */
function storyOf(entries: readonly LogEntry[], result: RunResult | undefined): string[] {
  const lines = entries.map(({ eventType, nodeId, payload }) => {
    const error = (payload as { error?: { code?: string } } | null)?.error?.code;
    return `  ${eventType} ${nodeId}${error === undefined ? '' : ` ${error}`}`;
  });
  return [...lines, `  ${result?.status ?? 'no end'}`];
}
