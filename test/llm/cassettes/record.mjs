// Makes the cassette `scripted` beside this file anew: node test/llm/cassettes/record.mjs (after a build).
// No model has ever seen these questions. The answers are made up by the script below, in ways that
// models have of answering; what they achieve says nothing about any model.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { planFromSchedule, resolveSource } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';

const here = new URL('.', import.meta.url);
const bin = fileURLToPath(new URL('../../../bin/alas-jssp.js', here));
const tape = fileURLToPath(new URL('scripted', here));
const PORT = 8377;

/** The entries of a rule's plan, as the prompt asks for them. */
function entriesOf(name) {
  const { entries } = planFromSchedule(dispatch(resolveSource(name).load(), { rule: 'mwkr' }));
  return entries.map(({ job, step, machine, start, end }) => {
    return { job: `Job${job + 1}`, step: step + 1, machine: `Machine${machine}`, start, end };
  });
}

/** What the script answers about each instance: first, and whenever it is told what is wrong. */
const SCRIPT = {
  // Leaves some operations out, and mends that.
  ft06: {
    plan: (entries) => JSON.stringify({ schedule: entries.slice(0, 31) }),
    repair: (entries) => JSON.stringify({ schedule: entries }),
  },
  // Talks, and goes on talking.
  la01: {
    plan: () => 'To plan this shop I would look at the busiest machine first. Shall I go on?',
    repair: () => 'You are right, and I apologize. I would look at the second machine, too.',
  },
  // Has a feasible plan, with words around it.
  la02: {
    plan: (entries) => `Here is the plan:\n\n\`\`\`json\n${JSON.stringify(entries)}\n\`\`\`\n`,
    repair: (entries) => JSON.stringify({ schedule: entries }),
  },
  // Is cut off in the middle, and puts two jobs on a machine at once the next time.
  la03: {
    plan: (entries) => JSON.stringify({ schedule: entries }).slice(0, 2000),
    repair: (entries) =>
      JSON.stringify({ schedule: entries.with(7, { ...entries[7], start: 0, end: 30 }) }),
  },
};

let current = 'ft06';
const server = createServer((incoming, response) => {
  let body = '';
  incoming.on('data', (chunk) => {
    body += chunk;
  });
  incoming.on('end', () => {
    const { messages } = JSON.parse(body);
    const isRepair = messages.some(({ content }) => content.includes('breaks rules'));
    const isEmpty = messages.some(({ content }) =>
      content.includes('An earlier answer held no plan'),
    );
    const { plan, repair } = SCRIPT[current];
    const content = (isRepair || isEmpty ? repair : plan)(entriesOf(current));
    const words = (text) => Math.ceil(text.length / 4);
    const usage = { prompt_tokens: words(body), completion_tokens: words(content) };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'made-up',
        object: 'chat.completion',
        created: 0,
        model: 'scripted-no-model',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content },
            finish_reason: current === 'la03' && !isRepair ? 'length' : 'stop',
          },
        ],
        usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
      }),
    );
  });
});

await new Promise((resolve) => server.listen(PORT, '127.0.0.1', resolve));
rmSync(tape, { recursive: true, force: true });
const planner = `openai-compatible:scripted@http://127.0.0.1:${PORT}/v1#format=entries`;
const prices = fileURLToPath(new URL('prices.json', here));
for (current of Object.keys(SCRIPT)) {
  const what = ['run', '--suite', current, '--planner', planner, '--no-out', '--quiet'];
  const how = ['--repair', 'llm', '--rounds', '2', '--record', tape, '--prices', prices];
  await promisify(execFile)(process.execPath, [bin, ...what, ...how]);
}
server.close();
