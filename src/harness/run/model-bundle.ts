import { join, relative, sep } from 'node:path';
import type { PaceLimits } from '../../llm/admission/pace.js';
import type { BudgetLimits } from '../../llm/admission/spending.js';
import { openAnswerStore } from '../../llm/answer-store.js';
import { readAnswerTexts } from '../../llm/answer-texts.js';
import { isModelSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { readPrices } from '../../llm/prices.js';
import { replayedBy, requireModels } from '../../pipeline/planners/models.js';
import type { RunRecord } from '../records/record.js';
import type { GivenAnswer } from './executor.js';
import { cellsAt } from './matrix.js';
import { bundleMatrix, type RunBundle } from './run-bundle.js';
import { ensureDirectory } from './run-directory.js';
import { askingPlanners, type FilledRunSpec } from './spec.js';

/** A run, and the directory that it has. */
interface RunPlace {
  readonly spec: FilledRunSpec;
  readonly out?: string | undefined;
}

/** How the models of a run are asked by those who perform its tasks elsewhere, in plain JSON. */
export interface ModelBundle {
  readonly prices: Prices;
  /** Of the run. */
  readonly budget: BudgetLimits;
  /** Of each provider. */
  readonly limits: PaceLimits;
  /** The models of planners that replay answers, as specifications: their directories do not travel. */
  readonly replayed: Readonly<Record<string, string>>;
}

/** Answers that are there when a run begins: JSON texts by the keys of their requests. */
export interface StoredAnswers {
  /** The planner that replays them; null for those of all that ask. */
  readonly planner: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * The models of a run, as they travel; null if it asks none.
 *
 * @throws InputError for the prices, `bad_out` for the directory of answers, and as `requireModels`
 */
export function modelBundleOf({ spec, out }: RunPlace): ModelBundle | null {
  const asking = askingPlanners(spec);
  if (asking.length === 0) return null;
  const { record, prices: file, budget, ...limits } = spec.models;
  const prices = file === null ? PRICES : readPrices(file);
  const answers = answersDirectory(spec, out) ?? 'elsewhere';
  requireModels(asking, { answers, prices, budget });
  if (record !== null) ensureDirectory(record, 'answers need');
  const replayed = asking.flatMap((planner) => {
    const model = replayedBy(planner)?.model;
    return model === undefined ? [] : [[planner, model]];
  });
  return { prices, budget, limits, replayed: Object.fromEntries(replayed) };
}

/** The answers that are there for the models of a run, read only when they are asked for. */
export function* storedAnswers({ spec, out }: RunPlace): Generator<StoredAnswers> {
  const asking = askingPlanners(spec);
  if (asking.length === 0) return;
  const own = answersDirectory(spec, out);
  if (own !== null) yield { planner: null, texts: readAnswerTexts(own) };
  for (const planner of asking) {
    const replayed = replayedBy(planner);
    if (replayed !== null) yield { planner, texts: readAnswerTexts(replayed.directory) };
  }
}

/** Keeps answers that came from elsewhere where a run keeps its own. */
export function keepAnswers({ spec, out }: RunPlace, answers: readonly GivenAnswer[]): void {
  const directory = answersDirectory(spec, out);
  if (directory === null) return;
  for (const { planner, request, replicate, answer } of answers) {
    openAnswerStore(directory, planner).keep(request, replicate, answer);
  }
}

/**
 * A record with the paths of its answers, relative to the directory of the run (to the working directory without one).
 * The makers of records do not know this directory; without one there are no paths.
 */
export function withAnswerPaths({ spec, out }: RunPlace, record: RunRecord): RunRecord {
  const { llm, planner } = record;
  if (llm === null || llm.answer_files.length === 0) return record;
  const place = placeOfAnswers(planner) ?? answersDirectory(spec, out);
  const pathOf = (file: string) =>
    relative(out ?? '', join(place ?? '', file)).replaceAll(sep, '/');
  const answer_files = place === null ? [] : llm.answer_files.map(pathOf);
  return { ...record, llm: { ...llm, answer_files } };
}

/** The directory that a planner's answers were in before the run; null for one that asks for them. */
function placeOfAnswers(planner: string): string | null {
  if (!isModelSpec(planner)) return '';
  const spec = parsePlannerSpec(planner);
  return spec.provider === 'replay' ? spec.directory : null;
}

/** The planner of a task if it asks a model, or replays one; null for those that compute. */
export function askingPlanner(bundle: RunBundle, index: number): string | null {
  const [{ planner }] = cellsAt(bundleMatrix(bundle), index);
  return isModelSpec(planner) ? planner : null;
}

/** The directory of the answers of a run; null for none. */
export function answersDirectory(
  { models }: Pick<FilledRunSpec, 'models'>,
  out: string | undefined,
): string | null {
  return models.record ?? (out === undefined ? null : join(out, 'answers'));
}
