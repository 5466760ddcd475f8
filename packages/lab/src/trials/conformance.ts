// The conformance matrix.
//   npm run trials -- conformance [--check] [--engine NAME]... [--case TEXT]
// Runs every case on every engine that is installed, and writes docs/reference/conformance.md; with --check it
// fails if the page says something else than what was measured. With --case it runs the cases whose
// title or feature has the text, prints what happened, and writes nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case } from '../conformance/case.js';
import { cases } from '../conformance/cases/index.js';
import { columns, findEngine } from '../conformance/columns.js';
import { DOCUMENT, documentOf, MEASURED, type Measured } from '../conformance/document.js';
import {
  type Column,
  type Engine,
  type EngineModule,
  type Stub,
  startEngine,
} from '../conformance/engine.js';
import { measure, measureControls } from '../conformance/matrix.js';
import { startStub } from '../conformance/stub.js';

const HELP = `Usage: npm run trials -- conformance [--check] [--engine NAME]... [--case TEXT]

Runs every case on every engine that is installed, and writes docs/reference/conformance.md.

  --check        write nothing; fail if the page says something else than what is measured
  --engine NAME  only this engine (${columns.map(({ name }) => name).join(', ')}); may be repeated
  --case TEXT    only the cases whose title or feature has the text; writes nothing
  --help         show this

Exit code 0 if every cell is as it must be, 1 if not, 2 for wrong usage.`;

const values = readOptions();
const known: Measured = existsSync(MEASURED)
  ? JSON.parse(readFileSync(MEASURED, 'utf8'))
  : { engines: {} };
const problems: string[] = [];
const skipped: string[] = [];
for (const column of columns) {
  if (values.engine !== undefined && !values.engine.includes(column.name)) continue;
  const found = await findEngine(column);
  if ('missing' in found) {
    skipped.push(found.missing);
    continue;
  }
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  const stub = await startStub({ file: join(directory, 'trace.jsonl') });
  const engine = await startEngine(column, found.module, stub);
  try {
    await judge(column, found.module, engine, stub);
  } finally {
    await engine.stop();
    await stub.stop();
    rmSync(directory, { recursive: true });
  }
}
if (values.case === undefined) publish();
for (const reason of skipped) console.log(`skipped: ${reason}`);
for (const problem of problems) console.log(problem);
console.log(`${problems.length === 0 ? 'conformance holds' : `${problems.length} problems`}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The options of the command line; those that cannot be meant end it here. */
function readOptions() {
  try {
    const options = {
      check: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true },
      case: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    const { values: given } = parseArgs({ options });
    if (given.help) {
      console.log(HELP);
      process.exit(0);
    }
    const strange = given.engine?.find((one) => !columns.some(({ name }) => name === one));
    if (strange !== undefined) throw new Error(`there is no engine "${strange}"`);
    if (given.case !== undefined && !cases.some((one) => isChosen(one, given.case))) {
      throw new Error(`no case has "${given.case}" in its title or feature`);
    }
    return given;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    process.exit(2);
  }
}

function isChosen({ feature, title }: Case, text: string | undefined) {
  return text === undefined || feature.includes(text) || title.includes(text);
}

async function judge(column: Column, module: EngineModule, engine: Engine, stub: Stub) {
  const text = values.case;
  const chosen = cases.filter((one) => isChosen(one, text));
  const started = performance.now();
  const cells = await measure(column, engine, stub, chosen);
  const failed = Object.entries(cells).filter(([, { outcome }]) => outcome === 'failed');
  for (const [title, { problems: found = [] }] of failed) {
    for (const problem of found) problems.push(`${column.name}: ${title}: ${problem}`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const outcomes = Object.values(cells).map(({ outcome }) => outcome);
  const told = [...new Set(outcomes)].map(
    (outcome) => `${outcomes.filter((one) => one === outcome).length} ${outcome}`,
  );
  console.log(`${column.name}: ${chosen.length} cases in ${seconds} s: ${told.join(', ')}`);
  if (text !== undefined) return;
  const controls = column.lint ? [] : await measureControls(column, module, engine, stub);
  for (const { name, found } of controls) {
    if (found === undefined) problems.push(`${column.name}: nothing finds a ${name}`);
  }
  known.engines[column.name] = { info: engine.info, cells, controls };
}

/** Writes the page, or compares it. */
function publish() {
  const page = documentOf(known);
  if (!values.check) {
    mkdirSync(new URL('.', MEASURED), { recursive: true });
    writeFileSync(MEASURED, `${JSON.stringify(known, null, 1)}\n`);
    writeFileSync(DOCUMENT, page);
    return;
  }
  const there = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
  if (there === page) return;
  const lines = page.split('\n');
  const line = there.split('\n').findIndex((one, k) => one !== lines[k]);
  problems.push(
    `docs/reference/conformance.md:${line + 1} is not what was measured: ${lines[line]}`,
  );
}
