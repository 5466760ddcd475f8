// The matrix: every case on every engine, and what its cell says.
import { cases } from './cases/index.mjs';
import { controlsOf } from './controls.mjs';
import { divergenceOf } from './divergences.mjs';
import { judgeEffects, judgeHistory } from './judge.mjs';
import { inTurns, tryCase } from './trial.mjs';

/** The features of reports of conversions that say how a row of the matrix is said. */
const SAID_BY = {
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

const LEVELS = ['native', 'emulated', 'static-only', 'unsupported'];

/** The weakest level at which a conversion says a feature of the matrix, and how. */
function levelOf(feature, report) {
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
export async function measure(column, engine, stub, chosen = cases) {
  const cells = await inTurns(chosen, column.most, (one) => measureCase(column, engine, stub, one));
  for (const [k, one] of chosen.entries()) {
    if (cells[k].outcome !== 'failed' || column.lint) continue;
    const told = `${column.name}: ${one.title}: ${cells[k].problems[0]}`;
    process.stderr.write(`${told}; tried again, alone\n`);
    cells[k] = await measureCase(column, engine, stub, one);
  }
  return Object.fromEntries(chosen.map(({ title }, k) => [title, cells[k]]));
}

async function measureCase(column, engine, stub, one) {
  let converted;
  try {
    converted = await column.write(one.workflow);
  } catch (error) {
    if (error.code !== 'unsupported_feature') {
      return { outcome: 'failed', problems: [`it is not converted: ${error.message}`] };
    }
    return { outcome: 'unsupported', because: error.message };
  }
  const { level, how } = levelOf(one.feature, converted.report);
  const said = { level, ...(how.length > 0 && { how }) };
  if (column.lint) {
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
export async function measureControls(column, module, engine, stub) {
  const controls = await controlsOf(column, module, engine, stub);
  return inTurns(controls, 3, async ({ name, one, text, host, mustFind }) => {
    if (text === undefined) return { name, found: undefined };
    const { effects } = await tryCase(host, stub, one, text);
    if (host !== engine) await host.stop();
    return { name, case: one.title, found: effects.find((problem) => mustFind.test(problem)) };
  });
}
