import { monotonicSeconds } from '@alas-jssp/core/clock';
import { serveCalls } from '@alas-jssp/core/thread-calls';
import { warmUp } from 'alas-jssp/internal/service';
import type { WorkProgress } from '../api/work-schemas.js';
import { performTool } from '../mcp/tools/perform.js';
import type { ShopTrial } from '../shops/shop-trial.js';
import { tryOutPolicies } from '../shops/try-out.js';
import { performExport } from './export-work.js';
import { performColumns, performImport } from './import-work.js';
import { performPlan } from './plan-work.js';
import { readSentBody, type SentBody } from './read-body.js';
import { performExplain, performRepair } from './repair-work.js';
import { performOptimize, performValidate, type WorkSetting } from './work.js';

/** All kinds of work, by name. */
const WORKS = {
  validate: performValidate,
  repair: performRepair,
  optimize: performOptimize,
  /** The plan of a new shop. */
  plan: performPlan,
  explain: performExplain,
  /** A large body, parsed and checked. */
  read: readSentBody,
  /** A dry run of a shop. */
  trial: performTrial,
  /** The plan of a shop as a file for other programs. */
  export: performExport,
  /** The files of a shop, as an instance. */
  import: performImport,
  /** The columns of such files. */
  columns: performColumns,
  /** A tool call of an agent. */
  tool: performTool,
  /** Loads and compiles the code of the other kinds. */
  warm: warmUp,
} as const;

/** A dry run of a shop, and the policies to try. */
export interface TrialWork {
  readonly trial: ShopTrial;
  readonly policies: readonly unknown[] | undefined;
  /** Time limit of each repair, in seconds. */
  readonly seconds: number;
}

function performTrial({ trial, policies, seconds }: TrialWork, { signal }: WorkSetting) {
  return tryOutPolicies(trial, policies, { seconds, signal });
}

/** The name of a kind of work. */
export type WorkKind = keyof typeof WORKS;

/** A request to a thread. */
export interface WorkRequest {
  readonly kind: WorkKind;
  readonly request: unknown;
  /** Whether `request` is unparsed bytes, and the answer is JSON text. */
  readonly isSent: boolean;
  readonly operations: number;
  readonly seconds: number;
}

/** The caller of work, in another thread. */
export interface WorkCaller {
  /** Aborted when the work must end: a search with its best result so far. */
  readonly ended: AbortSignal;
  onProgress(progress: WorkProgress): void;
}

/** Milliseconds between two progress reports. */
const REPORT_EVERY = 250;

const BEGUN: WorkProgress = {
  stage: 'reading',
  seconds: 0,
  best: null,
  lower_bound: null,
  iterations: null,
};

/** Computes a request. */
async function performWork(work: WorkRequest, caller: WorkCaller): Promise<unknown> {
  const { kind, operations, seconds } = work;
  const began = monotonicSeconds();
  let reported = Number.NEGATIVE_INFINITY;
  const setting: WorkSetting = {
    operations,
    seconds,
    signal: caller.ended,
    onProgress: (progress) => {
      const now = monotonicSeconds();
      if (1000 * (now - reported) < REPORT_EVERY) return;
      reported = now;
      caller.onProgress({ ...progress, seconds: now - began });
    },
  };
  caller.onProgress(BEGUN);
  const perform = WORKS[kind] as (request: unknown, setting: WorkSetting) => unknown;
  if (!work.isSent) return perform(work.request, setting);
  const request = readSentBody({ bytes: work.request as SentBody['bytes'], schema: kind }, setting);
  return JSON.stringify(await perform(request, setting));
}

const functions = { performWork };
/** The functions of a thread of computations. */
export type ComputeFunctions = typeof functions;
serveCalls(functions);
