import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** An installation of both packages, in which the service's files of threads can be renamed. */
function installCopy(): string {
  const copy = temporaryDirectory();
  const modules = join(root, 'node_modules');
  const link = (name: string) => symlinkSync(join(modules, name), join(copy, 'node_modules', name));
  mkdirSync(join(copy, 'node_modules/@alas-jssp'), { recursive: true });
  for (const name of readdirSync(modules))
    if (name !== 'alas-jssp' && name !== '@alas-jssp') link(name);
  for (const name of ['core', 'workflow']) link(`@alas-jssp/${name}`);
  for (const [from, to] of [
    [root, 'alas-jssp'],
    [join(root, 'packages/service'), '@alas-jssp/service'],
  ])
    for (const part of ['bin', 'dist', 'benchmarks', 'package.json'].filter((part) =>
      existsSync(join(from, part)),
    ))
      cpSync(join(from, part), join(copy, 'node_modules', to, part), { recursive: true });
  return copy;
}

/** Starts the service of a copy: its address, and the lines that it complains in. */
async function serve(copy: string) {
  const bin = 'node_modules/alas-jssp/bin/alas-jssp.js';
  const args = [bin, 'serve', '--port', '0', '--threads', '1', '--data', 'shops'];
  const child = spawn(process.execPath, args, { cwd: copy });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text) => resolve(text.trim()));
    child.once('exit', () => reject(new Error(stderr)));
  });
  return { url, complaints: () => stderr.split('\n').filter((line) => !/^$|listens/.test(line)) };
}

it.each([
  ['is missing', undefined],
  ['loads a file that is missing', "import './none.js';\n"],
])(
  'a service whose file of a thread %s stays, says so in a line, and starts it once it can',
  async (_, broken) => {
    const copy = installCopy();
    const threads = ['shops', 'compute'].map((name) =>
      join(copy, 'node_modules/@alas-jssp/service/dist/thread', `${name}.js`),
    );
    for (const file of threads) {
      renameSync(file, `${file}.away`);
      if (broken !== undefined) writeFileSync(file, broken);
    }
    const { url, complaints } = await serve(copy);
    const ask = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
      return { status: response.status, body: (await response.json()) as { code?: string } };
    };
    const plan = [{ job: 'Job1', step: 1, machine: 'Machine0', start: 0, end: 3 }];
    const works = [
      ['/shops', { id: 'a', instance: 'ft06', planner: 'dispatch:mwkr' }],
      ['/validate', { instance: 'ft06', plan }],
    ] as const;
    const codes: unknown[] = [];
    const said = (words: string) => complaints().filter((line) => line.includes(words)).length;
    // The second try is made by a timer.
    while (said('thread 1 of the shops ended') < 2 || said('a thread of computations ended') < 2) {
      for (const [path, body] of works) codes.push((await ask(path, body)).body.code);
      expect((await fetch(`${url}/health`)).status).toBe(200);
    }
    expect(new Set(codes)).toEqual(new Set(['thread_failed']));
    for (const line of complaints())
      expect(line).toMatch(/^alas-jssp: .* is restarted: Cannot find module/);

    for (const file of threads) renameSync(`${file}.away`, file);
    for (const [path, body] of works) {
      let answer = await ask(path, body);
      while (answer.status === 503) answer = await ask(path, body);
      expect(answer.status).toBeLessThan(300);
    }
  },
);
