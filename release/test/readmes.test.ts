import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { readmeExample } from '../../test/examples/readme-example.js';
import { projectEnvironment, runProgram } from './project.js';

const project = inject('project');
/** The example of the main package is TypeScript, and that of Temporal needs its server. */
const names = inject('tarballs')
  .map(({ name }) => name)
  .filter((name) => name !== 'alas-jssp' && name !== '@alas-jssp/temporal');

/** Starts the installed service on a free port, and returns its address. */
async function startService(): Promise<string> {
  const bin = join(project, 'node_modules/alas-jssp/bin/alas-jssp.js');
  const runtime = process.env.ALAS_JSSP_RUNTIME ?? process.execPath;
  const child = spawn(runtime, [bin, 'serve', '--port', '0', '--threads', '1'], {
    cwd: project,
    env: projectEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return String(line).trim();
}

describe.each(names)('the README in the tarball of %s', (name) => {
  it('has a program that prints what it shows', async () => {
    const { code, printed } = readmeExample(join(project, 'node_modules', name, 'README.md'));
    const [address] = /http:\/\/127[.\d:]+/.exec(code) ?? [];
    const program = address === undefined ? code : code.replace(address, await startService());
    expect(runProgram(program)).toEqual({ code: 0, stdout: printed, stderr: '' });
  });
});
