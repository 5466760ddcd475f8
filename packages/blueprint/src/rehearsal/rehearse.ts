import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Json, RunStatus } from '@alas-jssp/workflow';
import { compileSound } from '../running/compile-sound.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { exampleInput } from '../running/example-input.js';
import { NO_RUN_FAULTS, type RunFaults } from './fault.js';
import { drawInput } from './inputs.js';
import {
  type RehearsedRun,
  type RunProblem,
  type RunToRehearse,
  rehearseRun,
} from './rehearse-run.js';
import { faultsOf, killScenario, lastFailures, type Scenario, scenariosOf } from './scenario.js';

/** Settings of a rehearsal. */
export interface RehearsalOptions {
  /** Runs of each scenario whose faults or inputs are drawn. Default 20. */
  readonly runs?: number | undefined;
  /** Whether faults are injected. Default true. */
  readonly faults?: boolean | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Only scenarios whose names this accepts. */
  readonly only?: ((scenario: string) => boolean) | undefined;
  /** The most kills of a scenario: more are spread over its log. Default: all places. */
  readonly kills?: number | undefined;
  /** Default: a trial system made from the declarations of the catalogue. */
  readonly openTrial?: RunToRehearse['openTrial'];
  /** Handlers of agents that are code. Default: their outputs are drawn from their schemas. */
  readonly codeOf?: RunToRehearse['codeOf'];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RehearsalProgress) => void) | undefined;
}

export interface RehearsalProgress {
  readonly scenario: string;
  readonly runs: number;
}

/** The result of the runs of a scenario. */
export interface ScenarioReport {
  readonly scenario: string;
  readonly runs: number;
  /** Runs by their status at the end. */
  readonly ends: Readonly<Partial<Record<RunStatus, number>>>;
  /** Effects by what the runs report of them. */
  readonly effects: {
    readonly done: number;
    readonly undone: number;
    readonly left: number;
    readonly inDoubt: number;
  };
  readonly undoCalls: number;
  /** Whether no run came to the call or the approval that it disturbs: nothing was tried. */
  readonly missed: boolean;
  /** Effects that the reports do not account for, and promises that were not kept. */
  readonly problems: number;
  /** Mean seconds of simulated time. */
  readonly seconds: number;
}

/** A problem of a run, with what led there. */
export interface RehearsalProblem extends RunProblem {
  readonly scenario: string;
  /** The number of the run in its scenario. */
  readonly run: number;
  readonly seed: number;
  readonly story: readonly string[];
}

/** The report of a rehearsal. */
export interface RehearsalReport {
  readonly schema: 'alas-jssp/rehearsal@1';
  readonly passed: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly scenarios: readonly ScenarioReport[];
  readonly problems: readonly RehearsalProblem[];
}

/**
 * Rehearses a draft: runs its workflow in simulated time against a trial system, with and without faults, and compares
 * every effect with what the run reports. Real tools and models are never called: outputs of models are drawn from their
 * schemas by the seed. Equal drafts, options and seeds give equal reports.
 *
 * @throws InputError `bad_template` if the template does not compile
 */
export async function rehearse(
  draft: RunnableDraft,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  const { seed = 0, signal, onProgress } = options;
  const workflow = compileSound(draft);
  const scenarios: ScenarioReport[] = [];
  const problems: RehearsalProblem[] = [];
  let runs = 0;
  const rehearseOne = (scenario: Scenario, number: number, faults: RunFaults) => {
    const own = deriveSeed(seed, scenario.name, number);
    const isExample = scenario.input === 'example' || number === 0;
    const input = isExample
      ? exampleInput(draft.specification)
      : drawInput(draft, createRandom(deriveSeed(own, 'input')));
    const { codeOf, openTrial } = options;
    return rehearseRun({ draft, workflow, input, seed: own, faults, codeOf, openTrial });
  };
  for await (const scenario of allScenarios(draft, options, rehearseOne)) {
    const ended: RehearsedRun[] = [];
    const tried: boolean[] = [];
    const count = typeof scenario.runs === 'function' ? (options.runs ?? 20) : scenario.runs.length;
    for (let number = 0; number < count; number++) {
      signal?.throwIfAborted();
      const own = deriveSeed(seed, scenario.name, number);
      const faults = faultsOf(scenario, number, own);
      const run = await rehearseOne(scenario, number, faults);
      ended.push(run);
      tried.push(comesTo(run, faults));
      const about = { scenario: scenario.name, run: number, seed: own, story: run.story };
      problems.push(...run.problems.map((problem) => ({ ...problem, ...about })));
      runs++;
      onProgress?.({ scenario: scenario.name, runs });
    }
    scenarios.push(reportOf(scenario, ended, !tried.includes(true)));
  }
  const schema = 'alas-jssp/rehearsal@1';
  return { schema, passed: problems.length === 0, seed, runs, scenarios, problems };
}

/** The scenarios that are wanted; kills come after the runs whose logs they interrupt. */
async function* allScenarios(
  draft: RunnableDraft,
  { faults = true, only = () => true, kills }: RehearsalOptions,
  rehearseOne: (scenario: Scenario, number: number, faults: RunFaults) => Promise<RehearsedRun>,
): AsyncGenerator<Scenario> {
  const known = scenariosOf(draft).filter(({ name }) => faults || name === 'no fault');
  for (const scenario of known) if (only(scenario.name)) yield scenario;
  if (!faults) return;
  const killed: readonly (readonly [string, readonly RunFaults[]])[] = [
    ['killed', [NO_RUN_FAULTS]],
    ['killed while undoing', lastFailures(draft)],
  ];
  for (const [name, bases] of killed) {
    if (!only(name)) continue;
    const runs: RunFaults[] = [];
    for (const base of bases) {
      const probe: Scenario = { name, input: 'example', runs: [base] };
      const { appends } = await rehearseOne(probe, 0, base);
      const { runs: places } = killScenario(name, base, appends);
      if (typeof places !== 'function') runs.push(...places);
    }
    yield { name, input: 'example', runs: spread(runs, kills ?? runs.length) };
  }
}

/** At most so many items, spread over the whole list. */
function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, k) => items[Math.floor((k * items.length) / most)]);
}

/** Whether a run came to what its faults disturb. */
function comesTo({ calls, entries }: RehearsedRun, faults: RunFaults): boolean {
  if (faults.approval !== null) {
    return entries.some(
      ({ eventType, payload }) =>
        eventType === 'AwaitApproval' && (payload as { name?: Json }).name === faults.approval,
    );
  }
  if (faults.calls.length === 0) return true;
  return calls.some((call) =>
    faults.calls.some(({ node, of }) => (node === null || node === call.node) && of === call.of),
  );
}

function reportOf(
  { name }: Scenario,
  runs: readonly RehearsedRun[],
  missed: boolean,
): ScenarioReport {
  const ends: Partial<Record<RunStatus, number>> = {};
  const effects = { done: 0, undone: 0, left: 0, inDoubt: 0 };
  for (const { result } of runs) {
    const status = result?.status ?? 'WAITING';
    ends[status] = (ends[status] ?? 0) + 1;
    effects.done += result?.committed.length ?? 0;
    effects.undone += result?.undone.length ?? 0;
    effects.left += result?.remaining.length ?? 0;
    effects.inDoubt += result?.inDoubt.length ?? 0;
  }
  const undoCalls = runs.flatMap(({ calls }) => calls.filter(({ of }) => of === 'undo')).length;
  const problems = runs.flatMap((run) => run.problems).length;
  const total = runs.reduce((sum, run) => sum + run.seconds, 0);
  const seconds = runs.length === 0 ? 0 : total / runs.length;
  return { scenario: name, runs: runs.length, ends, effects, undoCalls, missed, problems, seconds };
}
