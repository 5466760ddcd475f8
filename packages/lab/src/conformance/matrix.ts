// The matrix: every case on every engine, and what its cell says.
import type { Feature, FeatureNote } from '@alas-jssp/convert';
import type { Case } from './case.js';
import { cases } from './cases/index.js';
import { controlsOf } from './controls.js';
import { divergenceOf } from './divergences.js';
import type { Column, Engine, EngineModule, Stub } from './engine.js';
import { judgeEffects, judgeHistory } from './judge.js';
import { inTurns, tryCase } from './trial.js';

/** The features of reports of conversions that say how a row of the matrix is said. */
const SAID_BY: Record<string, Feature[]> = {
  sequence: ['task', 'references'],
  choice: ['choice', 'guard'],
  parallel: ['parallel', 'concurrency', 'side-by-side'],
  map: ['map', 'concurrency'],
  retry: ['retry', 'backoff', 'jitter'],
  timeout: ['timeout'],
  catch: ['catch', 'back-to'],
  'loop guard': ['loop', 'loop-guard'],
  idempotency: ['idempotency-key'],
  compensation: ['effect', 'compensation', 'compensate-on'],
  'compensation in branches': ['effect', 'compensation'],
  'failing compensation': ['effect', 'compensation'],
  deadline: ['effect-deadline'],
  approval: ['approval'],
  message: ['wait'],
  cancellation: ['cancellation'],
  'large values': ['large-values'],
  crash: ['retry'],
};

/** The level at which a feature is said, and how if it is emulated. */
interface Said {
  level?: string;
  how?: string[];
}

/** What a case came to on an engine. */
export interface MeasuredCell extends Said {
  outcome: string;
  problems?: string[];
  because?: string;
}

const LEVELS = ['native', 'emulated', 'static-only', 'unsupported'];

/** The weakest level at which a conversion says a feature of the matrix, and how. */
function levelOf(feature: string, report: readonly FeatureNote[]) {
  const notes = report.filter((note) => SAID_BY[feature].includes(note.feature));
  const rank = Math.max(0, ...notes.map(({ level }) => LEVELS.indexOf(level)));
  const how = [...new Set(notes.filter(({ level }) => level === LEVELS[rank]).map((n) => n.how))];
  return { level: LEVELS[rank], how: rank === 0 ? [] : how };
}

/**
 * Tries all cases on one engine, several at a time. One that does not come out as it must is tried once
 * more, alone, and says so: timers of engines count from when they are made, so that a crowded machine
 * can miss a limit. A fault of the document or of the engine comes back.
 *
 * @returns the cell of each case by title, with all problems that make the matrix fail
 */
export async function measure(column: Column, engine: Engine, stub: Stub, chosen = cases) {
  const cells = await inTurns(chosen, column.most, (one) => measureCase(column, engine, stub, one));
  for (const [k, one] of chosen.entries()) {
    if (cells[k].outcome !== 'failed' || column.lint) continue;
    const told = `${column.name}: ${one.title}: ${cells[k].problems?.[0]}`;
    process.stderr.write(`${told}; tried again, alone\n`);
    cells[k] = await measureCase(column, engine, stub, one);
  }
  return Object.fromEntries(chosen.map(({ title }, k) => [title, cells[k]]));
}

async function measureCase(
  column: Column,
  engine: Engine,
  stub: Stub,
  one: Case,
): Promise<MeasuredCell> {
  let converted: Awaited<ReturnType<Column['write']>>;
  try {
    converted = await column.write(one.workflow);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== 'unsupported_feature') {
      return { outcome: 'failed', problems: [`it is not converted: ${message}`] };
    }
    return { outcome: 'unsupported', because: message };
  }
  const { level, how } = levelOf(one.feature, converted.report);
  const said = { level, ...(how.length > 0 && { how }) };
  if (engine.lint !== undefined) {
    const { errors } = await engine.lint(converted.text);
    if (errors.length > 0) return { outcome: 'failed', ...said, problems: errors };
    return { outcome: 'static-only', ...said };
  }
  const { effects, history, rows, ended } = await tryCase(engine, stub, one, converted.text);
  const listed = divergenceOf(column.name, one.title);
  const problems = [...effects, ...history];
  if (listed === undefined) {
    return problems.length === 0
      ? { outcome: 'same', ...said }
      : { outcome: 'failed', ...said, problems };
  }
  if (problems.length === 0) {
    return { outcome: 'failed', ...said, problems: ['it is listed as divergent and is not'] };
  }
  const expect = { ...one.expect, ...listed.expect };
  const others = ended === undefined ? effects : judgeEffects(expect, ended, rows);
  if (!listed.history && ended !== undefined) {
    others.push(...judgeHistory(expect, ended.history ?? [], rows));
  }
  if (others.length > 0) {
    return { outcome: 'failed', ...said, problems: others.map((p) => `as listed, ${p}`) };
  }
  return { outcome: 'divergent', ...said, because: listed.because };
}

/**
 * Does what must make the matrix fail, and sees whether it does.
 *
 * @returns for each control what was found, and undefined if nothing was
 */
export async function measureControls(
  column: Column,
  module: EngineModule,
  engine: Engine,
  stub: Stub,
) {
  const controls = await controlsOf(column, module, engine, stub);
  return inTurns(controls, 3, async ({ name, one, text, host, mustFind }) => {
    if (text === undefined) return { name, found: undefined };
    const { effects } = await tryCase(host, stub, one, text);
    if (host !== engine) await host.stop();
    return { name, case: one.title, found: effects.find((problem) => mustFind.test(problem)) };
  });
}
