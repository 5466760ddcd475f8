import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, inject, it } from 'vitest';
import { readmeExample } from '../../test/examples/readme-example.js';
import { runProgram, shell, workFolder } from './project.js';

/** What engines/runtimes/install.sh has installed: the programs, by name. */
const engines = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const runtimes = ['node-22', 'node-24', 'bun-1'].map((name) => {
  const [version] = globSync(`${name}.*/version.txt`, { cwd: engines });
  const program = name.startsWith('bun') ? 'bun/bin/bun.exe' : 'node/bin/node';
  return {
    name,
    program: version && join(engines, dirname(version), 'node_modules', program),
  };
});

const project = inject('project');
const home = join(project, 'node_modules/alas-jssp');

/** A folder whose `node` is a runtime. */
function folderOf(program: string): string {
  const folder = workFolder();
  if (!existsSync(join(folder, 'node'))) symlinkSync(program, join(folder, 'node'));
  return folder;
}

/** A text without what Bun prints otherwise of objects: quotes, line breaks, commas at the end. */
const plain = (text: string) => text.replaceAll(/["',\s]/g, '');

const programOf = (page: string) =>
  /```js\n(.*?)```/s.exec(readFileSync(join(home, 'docs/start', page), 'utf8'))?.[1] ?? '';

describe.each(runtimes)('$name', ({ program = '' }) => {
  const path = program === '' ? '' : folderOf(program);

  it.skipIf(program === '')('runs the engine: check, repair, search, breakdown', () => {
    const { stdout, code, stderr } = runProgram(
      programOf('embed.md'),
      workFolder(),
      'main.mjs',
      path,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(join(home, 'docs/start/embed.md'), 'utf8')).toContain(stdout);
  });

  it.skipIf(program === '')('runs sagas over a log in SQLite', () => {
    const cwd = workFolder();
    const text = readFileSync(join(home, 'docs/start/workflows.md'), 'utf8');
    expect(runProgram(programOf('workflows.md'), cwd, 'trip.mjs', path).code).toBe(0);
    const down = shell('node trip.mjs t2 --hotel-down', cwd, path);
    expect(plain(text)).toContain(plain(`$ node trip.mjs t2 --hotel-down\n${down.stdout}`));
    expect(shell('npx alas-jssp log verify trips.db', cwd, path)).toMatchObject({ code: 0 });
  });

  it.skipIf(program === '')(
    'runs the command line: benchmarks in worker threads, optimization',
    () => {
      const cwd = workFolder();
      const run = shell(
        'npx alas-jssp run --suite ft --workers 2 --no-out --json --quiet',
        cwd,
        path,
      );
      expect(JSON.parse(run.stdout).summary.overall[0]).toMatchObject({ records: 3, feasible: 3 });
      const best = shell('npx alas-jssp optimize ft06 --budget 5s --threads 2 --json', cwd, path);
      expect(JSON.parse(best.stdout)).toMatchObject({ makespan: 55 });
    },
  );

  it.skipIf(program === '')('runs the examples of the READMEs', () => {
    for (const name of [
      'core',
      'workflow',
      'changeset',
      'convert',
      'living-plan',
      'agents',
      'blueprint',
      'coordination',
      'engine',
    ]) {
      const { code, printed } = readmeExample(
        join(project, 'node_modules/@alas-jssp', name, 'README.md'),
      );
      const ended = runProgram(code, workFolder(), 'main.mjs', path);
      expect({ name, code: ended.code, stderr: ended.stderr }).toEqual({
        name,
        code: 0,
        stderr: '',
      });
      expect(plain(ended.stdout), name).toBe(plain(printed));
    }
  });
});
