import { declareStep, defineWorkflow, type Ref } from '@alas-jssp/workflow';
import * as z from 'zod';
import type { PartItem } from './drafting-session.js';
import { DRAFTING_STAGES } from './part-plan.js';

/** The value between rounds. */
interface Turn {
  /** The round, from 0: that of the first answers. */
  readonly turn: number;
  readonly done: boolean;
}

/** A day: models have limits of their own. */
const PATIENCE = 86_400;

interface PartList {
  readonly parts: readonly PartItem[];
}

const lists = DRAFTING_STAGES.map((stage) => ({
  stage,
  step: declareStep<Turn, PartList>(`list-${stage}`),
}));
const askPeople = declareStep<Turn, PartList>('ask-people', { timeout: PATIENCE });
const askPart = declareStep<PartItem, unknown>('ask', { timeout: PATIENCE });
const judge = declareStep<Turn, Turn>('judge', { timeout: PATIENCE });

/** The input of a run of drafting: equal inputs are the same draft. */
const draftingInput = z.object({
  turn: z.literal(0),
  done: z.literal(false),
  name: z.string(),
  /** The text of the task. */
  task: z.string(),
  planner: z.string(),
  reviewer: z.string().nullable(),
  rounds: z.int(),
  /** SHA-256 of the catalogue of tools. */
  tools: z.string(),
  /** Of a change: SHA-256 of the draft before it. */
  before: z.string().nullable(),
});

export type DraftingInput = z.infer<typeof draftingInput>;

/**
 * Drafting as a workflow: in each round, the parts are asked stage by stage, then the draft is judged. All steps are in
 * the log, so that an interrupted draft resumes where it was.
 */
export const draftWorkflow = defineWorkflow(
  'draft',
  { input: draftingInput, description: 'Drafts a workflow from words.' },
  (flow, input) =>
    flow.loop<Turn>(
      'round',
      input,
      (round, at) => {
        const askAll = (id: string, list: Ref<PartList>) =>
          round.map(id, list.parts, (each, item) => each.step(askPart, item), {
            maxConcurrency: 1,
          });
        for (const { stage, step } of lists) {
          askAll(stage, round.step(step, at));
          if (stage === 'specification') askAll('again', round.step(askPeople, at));
        }
        return round.step(judge, at);
      },
      { until: '$output.done' },
    ),
);
