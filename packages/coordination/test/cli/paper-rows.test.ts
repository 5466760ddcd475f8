import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writePlan } from '../../src/model/plan.js';
import { bundledPlan } from '../../src/papers/bundled.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Rows about people that take no time, and whose pages hold no times of the machine. */
const ROWS = [
  ...[17, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30].map((number) => `alas/table-${number}`),
  ...[4, 5, 6, 7, 8, 9].map((number) => `sagallm/table-${number}`),
  'sagallm/figure-5',
];

/** Runs `alas-jssp paper` as it is built, in a directory of its own. */
async function paper(...args: string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'alas-paper-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, run: (...more: string[]) => paperIn(cwd, ...args, ...more) };
}

function paperIn(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string }> {
  const child = spawn(process.execPath, [join(root, 'bin/alas-jssp.js'), 'paper', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code: code ?? -1, stdout })),
  );
}

/** A server of chat completions that answers every question with one plan, and counts. */
async function planServer(name: string) {
  const { actions } = writePlan(bundledPlan(name));
  const plan = JSON.stringify({ actions, feasible: true });
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    const question: string = messages.at(-1).content;
    asked.push(question);
    const content = /answer OK/.test(question) ? 'OK' : plan;
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', model: 'm', choices }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, planner: `openai-compatible:m@http://127.0.0.1:${port}/v1` };
}

describe('alas-jssp paper', () => {
  it('makes the stored pages of the rows about people again', async () => {
    const { cwd, run } = await paper(...ROWS, '-q');
    expect((await run()).code).toBe(0);
    for (const row of ROWS) {
      const page = readFileSync(join(cwd, `results/paper/${row}.md`), 'utf8');
      const stored = readFileSync(join(root, `results/reference/paper/${row}.md`), 'utf8');
      expect(page, row).toBe(stored);
    }
  });

  it('asks a model alone and as a team, once for all rows that share the answers', async () => {
    const { asked, planner } = await planServer('wedding');
    const { run } = await paper('--planner', planner, '--threads', '1', '-q');
    const first = await run('sagallm/table-6');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('run --problem wedding --topology single --rounds 3');
    expect(first.stdout).toContain('run --problem wedding --topology alas --rounds 3');
    const valid = / (single|alas), 3 rounds \| 1 \| 1 \| 1 \| 1 \| 100 \| 1 \| 100 \|/g;
    expect(first.stdout.match(valid)).toHaveLength(2);
    const before = asked.length;
    expect(before).toBeGreaterThan(3);
    expect((await run('sagallm/table-6')).stdout).toBe(first.stdout);
    expect(asked).toHaveLength(before);
  });
});
