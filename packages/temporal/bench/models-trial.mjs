// A suite of planners that ask a model, on workers that die. Build both packages first, then
//   node packages/temporal/bench/models-trial.mjs [--suite la01,la02,…] [--every 4] [--share 0.6]
// The model is a server of this machine that repeats recorded answers. The run gets a budget of tokens that is a share
// of what all answers take, on three workers, two of which are killed (SIGKILL) again and again; when the budget is
// spent, it is resumed without one. Then all records must be there, equal to those of threads with the same answers;
// no budget may be exceeded by more than threads may; nothing may be asked twice but what a killed worker was asking.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { recordKey, runBenchmark } from 'alas-jssp/harness';
import { createTemporalExecutor } from '../dist/index.js';
import { startFleet, startLastingServer } from './processes.mjs';

const { values } = parseArgs({
  options: {
    suite: {
      type: 'string',
      default: 'ft06,ft10,la01,la02,la03,la04,la05,la06,la07,la08,la09,la10',
    },
    // Seconds from a kill to the next, on average.
    every: { type: 'string', default: '4' },
    // Of the tokens of all answers, the budget.
    share: { type: 'string', default: '0.6' },
  },
});
const EVERY = Number(values.every) * 1000;
const CONCURRENCY = 4;
/** Milliseconds that an answer takes. */
const ANSWERING = 400;

const directory = mkdtempSync(join(tmpdir(), 'models-trial-'));
const tape = join(directory, 'tape');
const problems = [];
/** Answers by their questions; empty while they are recorded. */
const recorded = new Map();
const asked = [];
const model = await startModel();
const spec = {
  suite: values.suite,
  planners: [
    'dispatch:best',
    `openai-compatible:recorded@http://127.0.0.1:${model.address().port}/v1`,
  ],
  variants: ['full', 'no-repair'],
  optimize: '200-iterations',
};
const local = await runBenchmark({ ...spec, workers: 2, models: { record: tape } });
for (const name of readdirSync(tape).filter((file) => /^[\da-f]{64}/.test(file))) {
  const { request, answer } = JSON.parse(readFileSync(join(tape, name), 'utf8'));
  recorded.set(questionOf(request), answer);
}
const tokensOf = ({ usage }) => usage.input + usage.output;
const all = [...recorded.values()].reduce((sum, answer) => sum + tokensOf(answer), 0);
const most = Math.max(...[...recorded.values()].map(({ usage }) => usage.output));
const budget = Math.round(all * Number(values.share));
console.log(
  `${local.records.length} records and ${recorded.size} answers of ${all} tokens by threads`,
);
asked.length = 0;

const server = await startLastingServer(join(directory, 'temporal.db'));
const fleet = startFleet(3, { address: server.address('trial'), slots: 1 }, (text) =>
  problems.push(text),
);
const out = join(directory, 'run');
const over = new AbortController();
let kills = 0;
const killing = killWorkers();
const first = await run({ concurrency: CONCURRENCY, budget: { tokens: budget } }, false);
const before = asked.length;
const second = await run({ concurrency: CONCURRENCY, budget: { tokens: null } }, true);
over.abort();
await killing;
await fleet.stop();
await server.stop();
model.close();
judge();
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`problems: ${problems.length}`);
rmSync(directory, { recursive: true });
process.exit(problems.length === 0 ? 0 : 1);

function run(models, resume) {
  const executor = createTemporalExecutor(server.address('trial'), { slice: 8, lease: 5 });
  const onNotice = (line) => console.log(`  ${line}`);
  return runBenchmark({ ...spec, models }, { out, resume, executor, onNotice });
}

/** Kills one of two workers after the other, until the run is over. */
async function killWorkers() {
  const pause = () =>
    sleep(2 * EVERY * Math.random(), true, { signal: over.signal }).catch(() => false);
  while (await pause()) {
    await fleet.replace(Math.random() < 0.5 ? 0 : 1);
    kills += 1;
  }
}

function judge() {
  const { tokens, requests } = first.manifest.outcome.spent;
  const spent = tokens.input + tokens.output;
  if (first.stopped !== `the budget of ${budget} tokens is spent`)
    problems.push(`it stopped: ${first.stopped}`);
  // What an answer writes is not known before it is there.
  if (spent > budget + CONCURRENCY * most) problems.push(`${spent} tokens were spent of ${budget}`);
  if (second.interrupted) problems.push('the run says that it was interrupted');
  const twice = asked.length - new Set(asked.map(({ question }) => question)).size;
  const broken = asked.filter(({ answered }) => !answered).length;
  if (twice > broken)
    problems.push(`${twice} questions were asked again, ${broken} were not answered`);
  const byKey = new Map(second.records.map((record) => [recordKey(record), record]));
  for (const wanted of local.records) {
    const found = byKey.get(recordKey(wanted));
    if (found === undefined) problems.push(`${recordKey(wanted)} is missing`);
    else if (!isDeepStrictEqual(untimed(found), untimed(wanted)))
      problems.push(`${recordKey(wanted)} is different`);
  }
  if (byKey.size !== local.records.length) problems.push(`${byKey.size} records`);
  const later = second.manifest.outcome.spent.requests;
  console.log(
    `${second.records.length} records by three workers, two of them killed ${kills} times; ` +
      `${spent} of ${budget} tokens in ${requests} requests, then ${later} more; the model was asked ` +
      `${before} and ${asked.length - before} times, ${twice} times again after a kill`,
  );
}

/** A record without what was measured. */
function untimed(record) {
  return JSON.parse(
    JSON.stringify(record, (key, value) => (key.includes('seconds') ? undefined : value)),
  );
}

function questionOf({ messages }) {
  return JSON.stringify(messages);
}

/** Starts a server of chat completions that repeats what is recorded, and improvises while nothing is. */
async function startModel() {
  const http = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const question = questionOf(JSON.parse(body));
    const request = { question, answered: false };
    asked.push(request);
    const answer = recorded.get(question) ?? improvise(JSON.parse(body));
    if (recorded.size > 0) await sleep(ANSWERING * (0.5 + Math.random()));
    const { input, output } = answer.usage;
    const message = { role: 'assistant', content: answer.text, refusal: null };
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        created: 1_790_000_000,
        object: 'chat.completion',
        model: 'recorded',
        choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
        usage,
      }),
      () => {
        request.answered = !incoming.socket.destroyed;
      },
    );
  });
  return new Promise((resolve) => http.listen(0, '127.0.0.1', () => resolve(http)));
}

/** Plans one job after the other, and forgets the last operations. */
function improvise({ messages }) {
  const prompt = messages.at(-1).content;
  let time = 0;
  const schedule = [...prompt.matchAll(/^Job(\d+): (.*)$/gm)].flatMap(([, job, text]) =>
    [...text.matchAll(/M(\d+) (\d+)/g)].map(([, machine, duration], step) => {
      const start = time;
      time += Number(duration);
      return { job: `Job${job}`, step: step + 1, machine: `Machine${machine}`, start, end: time };
    }),
  );
  const text = JSON.stringify({ schedule: schedule.slice(0, -3) });
  return {
    text,
    usage: { input: Math.ceil(prompt.length / 4), output: Math.ceil(text.length / 4) },
  };
}
