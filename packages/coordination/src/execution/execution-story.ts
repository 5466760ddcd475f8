import type { Json, LogEntry, LogStore, Payloads } from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import { applyEvent } from '../events/events.js';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import type {
  AdvancedMoment,
  ExecutionInput,
  ExecutionProposal,
  ExecutionState,
} from './execution-values.js';

/** A version of the plan, with the problem as of its creation. */
interface ExecutionVersion {
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
}

/** A moment of an execution: the actions that began and ended, the events, and the changes to the plan. */
export interface ExecutionTurn extends AdvancedMoment {
  /** The version that was followed up to `to`. */
  readonly follows: number;
  readonly proposal?: ExecutionProposal;
  /** The version that was committed. */
  readonly version?: number;
}

/** An execution, reconstructed from its log. */
export interface ExecutionStory {
  readonly runId: string;
  /** Null before the first entry. */
  input: ExecutionInput | null;
  state: ExecutionState | null;
  readonly versions: Map<number, ExecutionVersion>;
  readonly turns: ExecutionTurn[];
  /** Payloads of the accepted messages with idempotency keys, as JSON, by key. */
  readonly keys: Map<string, Json>;
  end: Payloads['EndRun'] | null;
  /** Number of entries so far. */
  entries: number;
}

/** The stories of executions, read only from their log and cached. */
export interface ExecutionMemory {
  storyOf(runId: string): ExecutionStory;
  /** A committed version of the plan. */
  versionOf(runId: string, version: number): ExecutionVersion;
}

/** Creates the memory of a log. */
export function createExecutionMemory(store: Pick<LogStore, 'read'>): ExecutionMemory {
  const stories = new Map<string, ExecutionStory>();
  const storyOf = (runId: string) => {
    const story = stories.get(runId) ?? newStory(runId);
    stories.set(runId, story);
    for (const entry of store.read({ runId, from: story.entries })) addEntry(story, entry);
    return story;
  };
  return {
    storyOf,
    versionOf(runId, version) {
      const found = storyOf(runId).versions.get(version);
      if (found === undefined) {
        throw new AlasError('no_version', `the execution ${runId} has no version ${version}`);
      }
      return found;
    },
  };
}

function newStory(runId: string): ExecutionStory {
  return {
    runId,
    input: null,
    state: null,
    end: null,
    entries: 0,
    versions: new Map(),
    turns: [],
    keys: new Map(),
  };
}

function addEntry(story: ExecutionStory, { version, eventType, nodeId, payload }: LogEntry): void {
  story.entries = version + 1;
  const { input, data, output } = payload as Record<string, Json>;
  if (eventType === 'StartRun') {
    story.input = input as unknown as ExecutionInput;
    story.versions.set(1, {
      problem: readProblem(story.input.problem),
      plan: readPlan(story.input.plan),
    });
  }
  if (eventType === 'Signal') {
    const { key } = (data ?? {}) as { key?: string };
    if (key !== undefined && !story.keys.has(key)) story.keys.set(key, data);
  }
  if (eventType === 'EndRun') story.end = payload as unknown as Payloads['EndRun'];
  if (eventType === 'EndNode' && output !== undefined) addStep(story, nodeId, output);
}

function addStep(story: ExecutionStory, nodeId: string, output: Json): void {
  const { turns, versions } = story;
  const step = nodeId.slice(nodeId.lastIndexOf('/') + 1);
  if (step === 'advance') {
    turns.push({ ...(output as unknown as AdvancedMoment), follows: story.state?.version ?? 1 });
  }
  const turn = turns.at(-1);
  if (step === 'propose' && turn !== undefined) {
    turns[turns.length - 1] = { ...turn, proposal: output as unknown as ExecutionProposal };
  }
  if (step === 'commit' && turn?.proposal !== undefined) {
    const { version } = output as { version: number };
    turns[turns.length - 1] = { ...turn, version };
    const before = versions.get(turn.follows);
    if (before !== undefined) {
      const problem = turn.events.reduce(applyEvent, before.problem);
      versions.set(version, { problem, plan: readPlan(turn.proposal.plan) });
    }
  }
  if (['begin', 'hear', 'settle'].includes(step)) story.state = output as unknown as ExecutionState;
}
