import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, type Outcome } from './cli.js';

/**
 * Runs a line of a document as a shell would, with the command line in this process: pipes,
 * quotes and `> file`, and nothing but `alas-jssp` with or without npx.
 */
export async function shell(line: string, cwd: string): Promise<Outcome> {
  let input = '';
  let outcome: Outcome = { code: null, stdout: '', stderr: '' };
  for (const words of pipeline(line)) {
    const [program, ...args] = words[0] === 'npx' ? words.slice(1) : words;
    if (program !== 'alas-jssp') throw new Error(`a test runs no ${program}: ${line}`);
    const redirect = args.at(-2) === '>' ? args.splice(-2)[1] : undefined;
    const { stderr } = outcome;
    outcome = await cli(args, { cwd, input });
    outcome.stderr = stderr + outcome.stderr;
    if (redirect !== undefined) {
      writeFileSync(join(cwd, redirect), outcome.stdout);
      outcome.stdout = '';
    }
    input = outcome.stdout;
  }
  return outcome;
}

/** The words of each command, without the quotes. */
function pipeline(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (word === '|') commands.push([]);
    else commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return commands;
}
