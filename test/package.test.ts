import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { temporaryDirectory } from './temporary-directory.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const exec = (cwd: string, file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const program = `
import { resolveSource, validate, dispatch, runBenchmark } from 'alas-jssp';
import { lowerBound, type Instance } from 'alas-jssp/jssp';
import { applyEvents, parseEvent } from 'alas-jssp/disruption';
import { isFeasible, type ValidationReport } from 'alas-jssp/validator';
import { insertion } from 'alas-jssp/search';
import { summarize, type RunRecord } from 'alas-jssp/harness';

const source = resolveSource('ft06');
const instance: Instance = source.load();
const schedule = dispatch(instance, { rule: 'mwkr' });
const report: ValidationReport = validate(instance, schedule);
const { records } = await runBenchmark({ planners: ['insertion'] }, { sources: [source] });
const first: RunRecord = records[0];
const event = parseEvent('breakdown:machine=0,from=9,to=20');
const next: Instance = applyEvents(schedule, [event], 9).instance;
const bound: number = lowerBound(instance).value;
console.log(JSON.stringify({
  valid: report.valid && isFeasible(instance, insertion(instance).start),
  bound,
  planned: first.status,
  runs: summarize(records).records,
  downtimes: next.calendar?.to[0],
}));
`;

/**
 * Unpacks the package as npm would, with the dependencies that it declares and no other package:
 * they are those of this project.
 */
function install(tarball: string, project: string): string {
  const installed = join(project, 'node_modules', 'alas-jssp');
  mkdirSync(installed, { recursive: true });
  exec(installed, 'tar', 'xzf', tarball, '--strip-components=1');
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'dir');
  }
  return installed;
}

describe('the package', () => {
  it.each([
    ['exec', 'missing', 1],
    ['exec', 'older', 0],
    ['ci', 'missing', 1],
    ['ci', 'older', 1],
    ['ci', 'newer', 0],
  ])(
    'npm %s with a build that is %s than the sources skips it with %i',
    (command, build, status) => {
      const clone = temporaryDirectory();
      const write = (file: string, seconds: number) => {
        mkdirSync(dirname(join(clone, file)), { recursive: true });
        writeFileSync(join(clone, file), '');
        utimesSync(join(clone, file), seconds, seconds);
      };
      for (const file of ['package.json', 'src/index.ts', 'packages/engine/build.mjs'])
        write(file, 5e8);
      mkdirSync(join(clone, 'scripts'));
      cpSync(join(root, 'scripts/is-built.mjs'), join(clone, 'scripts/is-built.mjs'));
      utimesSync(join(clone, 'scripts/is-built.mjs'), 5e8, 5e8);
      if (build !== 'missing') {
        const seconds = build === 'newer' ? 6e8 : 4e8;
        for (const file of ['dist/cli/main.js', 'packages/engine/dist/code/index.js'])
          write(file, seconds);
      }
      const env = { ...process.env, npm_command: command };
      expect(spawnSync('node', ['scripts/is-built.mjs'], { cwd: clone, env }).status).toBe(status);
    },
  );

  it('ships what users need and works when installed: command, ESM and TypeScript', () => {
    const directory = temporaryDirectory();
    // The build is there already; running it again would pull it away under other tests.
    exec(root, 'npm', 'pack', '--ignore-scripts', '--pack-destination', directory);
    const tarball = readdirSync(directory).find((file) => file.endsWith('.tgz')) ?? '';
    const project = join(directory, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const installed = install(join(directory, tarball), project);
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'benchmarks',
      'bin',
      'dist',
      'docs',
      'examples',
      'node_modules',
      'package.json',
      'schemas',
    ]);
    expect(readdirSync(join(installed, 'benchmarks', 'dmu'))).toHaveLength(81);

    const config = {
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom'],
        module: 'nodenext',
        strict: true,
        types: [],
      },
      include: ['main.ts'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(project, 'main.ts'), program);
    exec(project, join(root, 'node_modules', '.bin', 'tsc'));
    expect(JSON.parse(exec(project, 'node', 'main.js'))).toEqual({
      valid: true,
      bound: 52,
      planned: 'ok',
      runs: 1,
      downtimes: 20,
    });

    const command = join(installed, manifest.bin['alas-jssp']);
    const args = ['run', '--suite', 'ft', '--no-out', '--json', '--quiet'];
    const output = exec(project, 'node', command, ...args);
    expect(JSON.parse(output).summary.overall[0]).toMatchObject({ records: 3, feasible: 3 });
  });
});
