import { join, relative, sep } from 'node:path';
import { plannerName } from '../../jssp/planner-name.js';
import type { PaceLimits } from '../../llm/admission/pace.js';
import type { BudgetLimits } from '../../llm/admission/spending.js';
import { openAnswerStore, type StoredAnswer } from '../../llm/answer-store.js';
import { readAnswerTexts } from '../../llm/answer-texts.js';
import { isModelSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { readPrices } from '../../llm/prices.js';
import { replayedBy, requireModels } from '../../pipeline/planners/models.js';
import type { RunRecord } from '../records/record.js';
import { askingPlanners } from './fill-spec.js';
import { cellsAt } from './matrix.js';
import { bundleMatrix, type RunBundle } from './run-bundle.js';
import { ensureDirectory } from './run-directory.js';
import type { FilledRunSpec } from './spec.js';

/** A run and its directory. */
interface RunPlace {
  readonly spec: FilledRunSpec;
  readonly out?: string | undefined;
}

/** The model settings of a run for remote executors, in plain JSON. */
export interface ModelBundle {
  readonly prices: Prices;
  /** Budget of the whole run. */
  readonly budget: BudgetLimits;
  /** Limits of each provider. */
  readonly limits: PaceLimits;
  /** The models of planners that replay answers, as specifications: their directories stay local. */
  readonly replayed: Readonly<Record<string, string>>;
}

/** Stored answers at the start of a run: JSON texts by the keys of their requests. */
export interface StoredAnswers {
  /** The planner that replays them; null for the answers that all model planners share. */
  readonly planner: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * The models of a run in a portable form; null if it uses none.
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

/** The stored answers for the models of a run, read lazily. */
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

/** Keeps answers from remote workers in the run's own directory of answers. */
export function keepAnswers({ spec, out }: RunPlace, answers: readonly StoredAnswer[]): void {
  const directory = answersDirectory(spec, out);
  if (directory === null) return;
  for (const { planner, request, replicate, answer } of answers) {
    openAnswerStore(directory, planner).keep(request, replicate, answer);
  }
}

/**
 * A record with the paths of its answers, relative to the run's directory (to the working directory if there is none).
 * Executors do not know this directory; without one there are no paths.
 */
export function withAnswerPaths({ spec, out }: RunPlace, record: RunRecord): RunRecord {
  const { llm, planner } = record;
  if (llm === null || llm.answer_files.length === 0) return record;
  const specification = spec.planners.find((one) => plannerName(one) === planner) ?? planner;
  const place = placeOfAnswers(specification) ?? answersDirectory(spec, out);
  const pathOf = (file: string) =>
    relative(out ?? '', join(place ?? '', file)).replaceAll(sep, '/');
  const answer_files = place === null ? [] : llm.answer_files.map(pathOf);
  return { ...record, llm: { ...llm, answer_files } };
}

/** The directory of answers that a planner replays; null for a planner that requests them. */
function placeOfAnswers(planner: string): string | null {
  if (!isModelSpec(planner)) return '';
  const spec = parsePlannerSpec(planner);
  return spec.provider === 'replay' ? spec.directory : null;
}

/** The planner of a task if it uses or replays a model; null for others. */
export function askingPlanner(bundle: RunBundle, index: number): string | null {
  const [{ specification }] = cellsAt(bundleMatrix(bundle), index);
  return isModelSpec(specification) ? specification : null;
}

/** The directory of the answers of a run; null for none. */
export function answersDirectory(
  { models }: Pick<FilledRunSpec, 'models'>,
  out: string | undefined,
): string | null {
  return models.record ?? (out === undefined ? null : join(out, 'answers'));
}
