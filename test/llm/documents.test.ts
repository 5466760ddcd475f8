import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { linkPackages } from '../link-packages.js';
import { temporaryDirectory } from '../temporary-directory.js';
import { startChatServer } from './servers/chat-completions.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KEY = 'sk-a-key-that-nobody-may-see';

test('the program of docs/how-to/llm.md asks once, and shows no key', async () => {
  const [, code] =
    /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/how-to/llm.md'), 'utf8')) ?? [];
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'main.mjs'), code ?? '');
  writeFileSync(join(cwd, '.env'), `OPENAI_API_KEY=${KEY}\n`);
  linkPackages(cwd);
  const server = await startChatServer(() => ({
    kind: 'answer',
    text: `${KEY}\njob,step,machine,start,end\nJob1,1,Machine2,0,1\nJob1,2,Machine0,1,4\n`,
  }));
  const run = () =>
    promisify(execFile)(process.execPath, ['main.mjs'], {
      cwd,
      env: { PATH: process.env.PATH, OPENAI_BASE_URL: `${server.url}/v1` },
    });

  const first = await run();
  expect(first.stdout).toMatch(/^2 false 0\.0000975 /);
  const second = await run();
  expect(second.stdout).toMatch(/^2 false 0\.0000975 \{ input: 0, output: 0/);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0].headers.authorization).toBe(`Bearer ${KEY}`);
  const files = globSync('**', { cwd, dot: true, ignore: 'node_modules' });
  expect(files).toEqual(expect.arrayContaining(['.env', 'main.mjs']));
  const hasKey = (file: string) => readFileSync(join(cwd, file)).includes(KEY);
  expect(files.filter(hasKey)).toEqual(['.env']);
  expect(`${first.stdout}${first.stderr}${second.stdout}${second.stderr}`).not.toContain(KEY);
});
