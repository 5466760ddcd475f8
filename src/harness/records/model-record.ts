import { addBookings, type Booking, type RequestCounts } from '../../llm/account.js';
import type { PipelineResult } from '../../pipeline/pipeline.js';
import type { PromptReport } from '../../pipeline/planners/llm-planner.js';
import type { RunRecord } from './record.js';

/** The model settings and usage of a plan; null if no model was used and no answer was replayed. */
export function describeModel({
  promptReport,
  usage,
  stages,
  selfVerdict,
}: PipelineResult): RunRecord['llm'] {
  if (promptReport === null) return null;
  const booked = usage && addBookings(usage.plan, usage.repair);
  return {
    ...describeAsking(promptReport, booked, usage?.plan),
    repair_prompt_sha256: stages.repair?.asked?.promptHash ?? null,
    self_verdict: selfVerdict && { valid: selfVerdict.valid, errors: [...selfVerdict.errors] },
  };
}

/**
 * The model settings and usage, whatever the outcome.
 *
 * @param usage null for an answer that was recorded elsewhere
 * @param ofPlan the part of it that was spent on the plan
 */
export function describeAsking(
  report: PromptReport,
  usage: Booking | null,
  ofPlan = usage,
): NonNullable<RunRecord['llm']> {
  const { models, topology, format, promptVersion, promptHash, windows, decoding } = report;
  const files = usage?.keys.map((key) => `${key}.json`) ?? [];
  if (report.recorded !== undefined) files.push(report.recorded);
  return {
    models: [...models],
    topology,
    format,
    prompt_version: promptVersion,
    prompt_sha256: promptHash,
    repair_prompt_sha256: null,
    answers: usage?.answers ?? 1,
    answer_files: [...new Set(files)],
    requests: usage && describeRequests(usage.requests),
    decoding: describeDecoding(decoding, ofPlan),
    self_verdict: null,
    windows,
    agents: report.agents.map(({ agent, turns, promptTokens, contextLimit, droppedTokens }) => ({
      agent,
      turns,
      prompt_tokens: promptTokens,
      context_limit: contextLimit,
      dropped_tokens: droppedTokens,
    })),
  };
}

function describeDecoding(decoding: PromptReport['decoding'], ofPlan: Booking | null) {
  if (decoding === undefined) return null;
  const { cutOff = 0, refused = 0 } = ofPlan?.requests ?? {};
  return {
    ...decoding,
    ignored: { ...decoding.ignored },
    answers_cut_off: cutOff,
    answers_refused: refused,
  };
}

function describeRequests({ sent, rateLimited, timedOut, failed, cutOff, refused }: RequestCounts) {
  return {
    sent,
    rate_limited: rateLimited,
    timed_out: timedOut,
    failed,
    cut_off: cutOff,
    refused,
  };
}
