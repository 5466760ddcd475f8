// Writes the demand of experiments with people into benchmarks/paper/demand.json: requests and tokens of one thread of
// each, counted at a server on this machine. At least: no check objects, and nothing goes back to the model. At most:
// every plan is wrong and every check objects, for all rounds. Tokens are estimates from the texts, as for servers that
// report none. Run it from the root of the repository: npm run build && node scripts/paper-questions.mjs
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPlan, coordinationMain, writePlan } from '@alas-jssp/coordination';
import {
  PEOPLE_EXPERIMENTS,
  PEOPLE_TEAMS,
  peopleWords,
} from '../dist/harness/paper/presets/experiments.js';

const FILE = 'benchmarks/paper/demand.json';
const OBJECTION = 'The drive from the airport takes longer than planned.\n'.repeat(8);

/** A plan of each experiment that can be read. */
const PLANS = {
  dinner: 'alas-table-21',
  'dinner-delayed': 'alas-table-21',
  'dinner-delayed-later': 'alas-table-21',
  rides: 'ride-sharing',
  'rides-changed': 'ride-sharing',
  wedding: 'wedding',
  'wedding-alert': 'wedding',
};

/** Runs a team once, at a server that agrees or objects, and counts. */
async function count(experiment, team, agrees) {
  const { actions } = writePlan(bundledPlan(PLANS[experiment]));
  const wrong = actions.map((action) => ({ ...action, end: action.start }));
  const plan = JSON.stringify({ actions: agrees ? actions : wrong, feasible: true }, null, 1);
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    const isCheck = /answer OK/.test(messages.at(-1).content);
    const content = isCheck ? (agrees ? 'OK' : OBJECTION) : `${plan}\nnext: nobody`;
    const message = { role: 'assistant', content };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', model: 'm', choices }));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const directory = mkdtempSync(join(tmpdir(), 'paper-questions-'));
  const out = join(directory, 'records.jsonl');
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const words = peopleWords(experiment, team, agrees ? 0 : 3);
  await coordinationMain([
    ...words,
    '--planner',
    `openai-compatible:m@${url}`,
    '--out',
    out,
    '--json',
    '-q',
  ]);
  server.close();
  const records = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  rmSync(directory, { recursive: true });
  const sum = (key) => records.reduce((all, { tokens }) => all + tokens[key], 0);
  return { requests, input: sum('input'), output: sum('output') };
}

const questions = {};
for (const experiment of Object.keys(PEOPLE_EXPERIMENTS)) {
  const sums = { requests: [0, 0], input: [0, 0], output: [0, 0] };
  for (const team of PEOPLE_TEAMS) {
    const ends = [await count(experiment, team, true), await count(experiment, team, false)];
    for (const key of Object.keys(sums)) {
      sums[key] = sums[key].map((value, end) => value + ends[end][key]);
    }
  }
  questions[experiment] = sums;
}
const before = JSON.parse(readFileSync(FILE, 'utf8'));
writeFileSync(
  FILE,
  `${JSON.stringify({ ...before, questions: { ...before.questions, ...questions } }, null, 2)}\n`,
);
