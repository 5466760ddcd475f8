import {
  type Calibration,
  calibrateValidator,
  commonFaults,
  type Model,
  plantFaults,
  requireIndependent,
  type Toolset,
} from '@alas-jssp/agents';
import { systemClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Handler, Json, LogStore, StepContext, Validator } from '@alas-jssp/workflow';
import type { DraftModels } from '../drafting/draft.js';
import { agentsOfNode } from '../running/agents-of-node.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { createPromptHandler } from '../running/prompt-handler.js';
import { nodeOfReference } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';

/** Circumstances of a calibration. */
export interface ReviewerCalibrationOptions {
  /** The log of runs of the draft: inputs that reviewers accepted are the sound cases. */
  readonly log: Pick<LogStore, 'runs' | 'read'>;
  readonly reviewer: Model;
  readonly toolset: Toolset;
  /** The most faults for each reviewer, chosen by the seed. Default 20. */
  readonly faults?: number | undefined;
  readonly seed?: number | undefined;
}

/** The accuracy of the reviewer of a node. */
export interface ReviewerCalibration {
  readonly node: string;
  readonly reviews: string;
  readonly model: string;
  readonly calibration: Calibration;
}

/**
 * Measures the reviewers of a draft that are models: on inputs that they accepted in runs, and on the same inputs with
 * faults in what they review. Faults that no reviewer could see (a text that says the same in other words) are not
 * planted, but some planted ones may be harmless for the task, so that accuracy is at most what the model can do.
 *
 * @throws InputError `same_model` if the reviewer is the planner or the model of the agents, `no_reviews` if a reviewer
 *   has accepted nothing in the log
 */
export async function calibrateReviewers(
  draft: RunnableDraft & { readonly models: DraftModels },
  options: ReviewerCalibrationOptions,
): Promise<ReviewerCalibration[]> {
  const { reviewer } = options;
  const found: ReviewerCalibration[] = [];
  for (const node of draft.template.nodes) {
    const { reviews } = node.details;
    const handler = reviewerOf(draft, node, options);
    if (reviews === undefined || handler === null) continue;
    requireIndependent(reviewer.name, [draft.models.planner, draft.models.agents], node.id);
    const sound = acceptedInputs(options.log, node);
    if (sound.length === 0) {
      throw new InputError(
        'no_reviews',
        `${node.id} has accepted nothing in this log`,
        'run the draft with --log first',
      );
    }
    const cases = casesOf(node, reviews, sound, options);
    const calibration = await calibrateValidator(judgeBy(handler, node), cases);
    found.push({ node: node.id, reviews, model: reviewer.name, calibration });
  }
  return found;
}

function reviewerOf(
  draft: RunnableDraft,
  node: TemplateNode,
  { reviewer: model, toolset }: ReviewerCalibrationOptions,
): Handler | null {
  const [agent] = agentsOfNode(node, draft.agents);
  if (agent?.implementation.kind !== 'prompt') return null;
  return createPromptHandler({ draft, node, agent, prompt: agent.implementation, model, toolset });
}

/** The inputs of a reviewer, of runs in which it accepted them. */
function acceptedInputs(log: ReviewerCalibrationOptions['log'], node: TemplateNode) {
  return log.runs().flatMap((runId): Json[] => {
    let input: Json | undefined;
    let accepted: Json | undefined;
    for (const { nodeId, eventType, payload } of log.read({ runId })) {
      if (nodeId !== node.id || !isObject(payload)) continue;
      if (eventType === 'Request' && payload.input !== undefined) input = payload.input as Json;
      if (eventType !== 'EndNode' || !isObject(payload.output)) continue;
      if (payload.output.ok === true) accepted = input;
    }
    return accepted === undefined ? [] : [accepted];
  });
}

function casesOf(
  node: TemplateNode,
  reviews: string,
  sound: readonly Json[],
  { faults: most = 20, seed = 0 }: ReviewerCalibrationOptions,
) {
  const keys = Object.entries(node.details.input)
    .filter(([, source]) => typeof source === 'string' && nodeOfReference(source) === reviews)
    .map(([key]) => key);
  const judged = sound.map((value) => ({ nodeId: node.id, value, slice: [], committed: {} }));
  const all = plantFaults(judged.slice(0, 1), commonFaults(sound[0], keys));
  const planted = all.filter(({ faulty }) => faulty);
  const random = createRandom(deriveSeed(seed, 'calibrate', node.id));
  while (planted.length > most) planted.splice(random.integer(0, planted.length - 1), 1);
  return [...plantFaults(judged, []), ...planted];
}

/** A reviewer as a validator of its input. */
function judgeBy(handler: Handler, { id }: TemplateNode): Validator {
  return async ({ value }) => {
    const output: unknown = await handler.run(value, calibrationContext(id));
    const isAccepted = isObject(output) && output.ok === true;
    return isAccepted ? { outcome: 'pass' } : { outcome: 'reject', errors: [output as Json] };
  };
}

/** The context of a step outside of any run. */
function calibrationContext(nodeId: string): StepContext {
  return {
    runId: 'calibration',
    nodeId,
    attempt: 1,
    idempotencyKey: `calibration/${nodeId}`,
    params: {},
    seed: 0,
    signal: new AbortController().signal,
    clock: systemClock,
    slice: () => [],
    log: () => {},
    feedback: [],
  };
}
