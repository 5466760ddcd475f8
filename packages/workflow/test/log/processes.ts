import { spawn } from 'node:child_process';

const PRELUDE = `
  import { openSqliteStore } from '@alas-jssp/workflow';
  const [file, name] = process.argv.slice(1);
  const entry = (runId, eventType = 'Retry', payload = {}) =>
    ({ runId, ts: '2026-01-01T00:00:00Z', nodeId: '', eventType, payload, correlationId: '' });
  // Not as the console shows values: where it has colours they are no JSON.
  const print = (value) => console.log(JSON.stringify(value));
`;

/**
 * Runs a program in one process for each name, all at once.
 *
 * @param program finds `file`, `name`, `entry` and `openSqliteStore`, and hands one value to `print`
 * @returns the values that they printed
 */
export function runProcesses(
  program: string,
  file: string,
  names: readonly string[],
): Promise<unknown[]> {
  return Promise.all(names.map((name) => runProcess(PRELUDE + program, [file, name])));
}

function runProcess(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  return new Promise<string>((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`a process ended with ${code}`));
    });
  }).then((printed) => JSON.parse(printed));
}
