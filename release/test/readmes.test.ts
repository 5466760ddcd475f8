import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { find, startServer } from '../../packages/temporal/server.mjs';
import { readmeExample } from '../../test/examples/readme-example.js';
import { projectEnvironment, runProgram } from './project.js';

const project = inject('project');
const tarballs = inject('tarballs').map(({ name }) => name);
const TEMPORAL = '@alas-jssp/temporal';
/** The example of the main package is TypeScript, and that of Temporal needs its server. */
const names = tarballs.filter((name) => name !== 'alas-jssp' && name !== TEMPORAL);
const exampleOf = (name: string) => readmeExample(join(project, 'node_modules', name, 'README.md'));

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
    const { code, printed } = exampleOf(name);
    const [address] = /http:\/\/127[.\d:]+/.exec(code) ?? [];
    const program = address === undefined ? code : code.replace(address, await startService());
    expect(runProgram(program)).toEqual({ code: 0, stdout: printed, stderr: '' });
  });
});

const missing = tarballs.includes(TEMPORAL) && find() !== undefined ? '' : ' (no server: skipped)';

describe.skipIf(missing !== '')(`the README in the tarball of ${TEMPORAL}${missing}`, () => {
  it('has a program that prints what it shows, on a server', async () => {
    const { code, printed } = exampleOf(TEMPORAL);
    const server = await startServer();
    onTestFinished(() => server.stop());
    const program = code.replace(/temporal:\/\/.*(?=')/, server.address('greetings'));
    expect(program).not.toBe(code);
    // Temporal's own log lines go to stderr.
    expect(runProgram(program)).toMatchObject({ code: 0, stdout: printed });
  });
});
