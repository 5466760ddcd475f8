import { isWithoutTranscript } from '../../pipeline/planners/transcripts-planner.js';
import type { RunRecord } from '../records/record.js';

/** The possible outcomes of a plan before any repair, from good to bad. */
export const PLAN_OUTCOMES = [
  /** The validator accepts it. */
  'feasible',
  /** It has every operation but violates rules. */
  'wrong',
  /** Operations are missing. */
  'incomplete',
  /** No operation could be read from the answer. */
  'unreadable',
  /** The answer is cut off, at its length limit or inside a schedule, and operations are missing. */
  'cut_off',
  /** The model refused to answer, and operations are missing. */
  'refused',
  /** There is no plan: the planner failed, was stopped or received no answer. */
  'failed',
  /** The plan was not validated, as in variants without validation. */
  'unjudged',
  /** A planner that repeats recorded answers has none for this instance. */
  'missing',
] as const;

/** The outcome of a plan; every plan has exactly one. */
export type PlanOutcome = (typeof PLAN_OUTCOMES)[number];

/** The outcome of a record's plan before any repair. */
export function planOutcome(record: RunRecord): PlanOutcome {
  const { status, violations, stages, llm, error } = record;
  if (violations === null) {
    if (status === 'error' && stages.plan === null) {
      return error !== null && isWithoutTranscript(error) ? 'missing' : 'failed';
    }
    return 'unjudged';
  }
  if (Object.keys(violations).length === 0) return 'feasible';
  if (violations.missing_operation === undefined) return 'wrong';
  const decoding = llm?.decoding ?? null;
  if (decoding === null) return 'incomplete';
  if (decoding.answers_refused > 0) return 'refused';
  if (decoding.answers_cut_off > 0 || decoding.ignored.cut_off > 0) return 'cut_off';
  return decoding.operations === 0 ? 'unreadable' : 'incomplete';
}
