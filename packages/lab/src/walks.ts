// The files that run in each walk of docs/design/architecture.md, measured: functions that V8 saw called, in a command
// and in all its threads. Files whose top level alone ran are not counted.
// Usage: npm run bench -- walks [--only NAME] [--json FILE]
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { save } from './measure.js';
import { type Answer, send, startServer } from './service/server.js';

const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'bin/alas-jssp.js');

/** A script in a coverage file of V8. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** A walk: its name, as on the page, and the work to measure. */
interface Walk {
  readonly name: string;
  /** Does the work in a folder; the processes that it starts have the environment. */
  run(folder: string, environment: NodeJS.ProcessEnv): Promise<void>;
}

const EVENT = { kind: 'breakdown', at: 10, machine: 3, from: 12, to: 20 };

const walks: Walk[] = [
  {
    name: 'validate',
    async run(folder, environment) {
      const plan = join(folder, 'plan.json');
      await start(['plan', 'ft06', '--out', plan]);
      await start(['validate', 'ft06', plan], environment);
    },
  },
  { name: 'answer', run: runModel },
  {
    name: 'step',
    async run(_, environment) {
      const program = `
        import { defineWorkflow, step } from '@alas-jssp/workflow';
        const pay = step('pay', { run: () => 'paid', undo: () => {}, validate: () => undefined });
        const flow = defineWorkflow('order', { input: z.unknown() }, (flow, order) => flow.step(pay, order));
        const { status } = await flow.run({});
        if (status !== 'COMPLETED') throw new Error(status);`;
      const text = `import * as z from 'zod';${program}`;
      await startNode(['--input-type=module', '--eval', text], environment);
    },
  },
  {
    name: 'execute',
    async run(folder, environment) {
      const [plan, events] = [join(folder, 'plan.json'), join(folder, 'events.json')];
      await start(['plan', 'ft06', '--out', plan]);
      writeFileSync(
        events,
        JSON.stringify({ schema: 'alas-jssp/events@1', instance: 'ft06', events: [EVENT] }),
      );
      const log = join(folder, 'log.db');
      await start(['execute', 'ft06', plan, '--events', events, '--log', log], environment);
    },
  },
  { name: 'service', run: runService },
];

/** Runs the command line. */
function start(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<void> {
  return startNode([bin, ...args], environment);
}

async function startNode(args: readonly string[], environment = process.env): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
}

/** A run of a model whose first answer is invalid, which it repairs in a second round. */
async function runModel(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const plan = join(folder, 'plan.json');
  await start(['plan', 'ft06', '--out', plan]);
  const good = readFileSync(plan, 'utf8');
  const bad = good.replace(/"start": \d+/, '"start": 0');
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    const chunk = (delta: object, reason: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      const head = { id: '1', object: 'chat.completion.chunk', created: 0, model: 'm' };
      return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
    };
    response.setHeader('content-type', 'text/event-stream');
    response.end(
      `${chunk({ content: requests++ === 0 ? bad : good })}${chunk({}, 'stop')}data: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model = `openai-compatible:m@http://127.0.0.1:${port}/v1`;
  const how = ['--repair', 'llm', '--rounds', '3', '--workers', '1', '--no-out'];
  try {
    await start(['run', '--suite', 'ft06', '--planner', model, ...how], environment);
  } finally {
    server.close();
  }
}

/** An event that is posted to a shop of a service. */
async function runService(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const service = await startServer(join(folder, 'shops'), [], environment);
  const { body } = requireDone(await send(service.url, 'POST', '/shops', { instance: 'ft06' }));
  const events = { events: [EVENT] };
  requireDone(await send(service.url, 'POST', `/shops/${body.id}/events`, events));
  service.child.kill('SIGTERM');
  await service.ended;
}

function requireDone(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** The source files of which a function was called, sorted. */
function filesCalled(folder: string): string[] {
  const files = new Set<string>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { result } = JSON.parse(text) as { result: ScriptCoverage[] };
    for (const { url, functions } of result) {
      if (!url.startsWith('file://')) continue;
      const file = relative(root, fileURLToPath(url));
      if (file.includes('node_modules') || !/(^|\/)dist\//.test(file)) continue;
      const modules = modulesOf(file);
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        const module = modules.findLast(({ offset }) => offset <= startOffset)?.file;
        if (count > 0 && functionName !== '' && module !== undefined) files.add(sourceOf(module));
      }
    }
  }
  return [...files].filter((file) => !file.includes('node_modules')).sort();
}

/** The modules in a built file, by the offsets at which they begin: a bundle names each in a comment. */
function modulesOf(file: string): { readonly offset: number; readonly file: string }[] {
  if (!/(^|\/)dist\/thread\//.test(file)) return [{ offset: 0, file }];
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(/^\/\/ ((?:[\w.@-]+\/)+[\w.-]+\.js)$/gm), (match) => ({
    offset: match.index,
    file: match[1],
  }));
}

function sourceOf(built: string): string {
  return built.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts');
}

const only = process.argv[2] === '--only' ? process.argv[3] : undefined;
const rows = [];
for (const { name, run } of walks) {
  if (only !== undefined && only !== name) continue;
  const folder = mkdtempSync(join(tmpdir(), 'alas-walk-'));
  const coverage = join(folder, 'coverage');
  await run(folder, { ...process.env, NODE_V8_COVERAGE: coverage });
  const files = filesCalled(coverage);
  rmSync(folder, { recursive: true });
  console.log(`${name}: ${files.length} files`);
  rows.push({ name, files });
}
save(rows);
