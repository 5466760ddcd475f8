import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import service from '../packages/service/package.json' with { type: 'json' };
import { npm } from '../scripts/npm.mjs';
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

/** An empty project. */
function createProject(): string {
  const project = temporaryDirectory();
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  return project;
}

/**
 * Packs and unpacks a package as npm would, with the dependencies that it declares and no other package:
 * they are those of this project.
 */
function install({ name: own, dependencies }: Manifest, project: string): string {
  const directory = temporaryDirectory();
  const home = own === 'alas-jssp' ? root : join(root, 'node_modules', own);
  // The build is there already; running it again would pull it away under other tests.
  npm(['pack', '--ignore-scripts', '--pack-destination', directory], { cwd: home });
  const [tarball] = readdirSync(directory);
  const installed = join(project, 'node_modules', own);
  mkdirSync(installed, { recursive: true });
  exec(installed, 'tar', 'xzf', join(directory, tarball), '--strip-components=1');
  for (const name of Object.keys(dependencies)) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  return installed;
}

interface Manifest {
  readonly name: string;
  readonly dependencies: object;
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
    const project = createProject();
    const installed = install(manifest, project);
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
    exec(project, 'node', join(root, 'node_modules/typescript/bin/tsc'));
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

  it('says how to install the service, which works next to it', async () => {
    const project = createProject();
    const command = join(install(manifest, project), manifest.bin['alas-jssp']);
    const { status, stderr } = spawnSync('node', [command, 'serve'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      2,
      'alas-jssp: this command needs @alas-jssp/service, which is not installed; npm install @alas-jssp/service\n',
    ]);

    install(service, project);
    const args = [command, 'serve', '--demo', '--port', '0', '--threads', '1'];
    const child = spawn('node', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const url = String(line).trim();
    writeFileSync(
      join(project, 'client.js'),
      `import { connectService } from '@alas-jssp/service/client';
      const service = connectService({ url: '${url}' });
      const { value } = await service.optimize({ instance: 'ft06', budget: '20s' });
      const lengths = [];
      for (const path of ['/', '/page.js', '/openapi.json'])
        lengths.push((await (await fetch('${url}' + path)).text()).length);
      console.log(JSON.stringify([value, ...lengths]));`,
    );
    const output = execFileSync('node', ['client.js'], { cwd: project, encoding: 'utf8' });
    const [value, ...lengths] = JSON.parse(output);
    expect(value).toBe(55);
    expect(Math.min(...lengths)).toBeGreaterThan(100);
  });
});
