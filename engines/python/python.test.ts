import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'clients/python');
// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const tools = join(home, 'python-1', 'bin');
const isInstalled = existsSync(join(home, 'python-1', 'installed.txt'));

/** A cell of a notebook. */
interface Cell {
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

/** The wheel, an environment in which only the wheel is installed, and one that has the tools, too. */
const built = { wheel: '', bare: '', full: '' };
/** A copy of the sources, so that nothing is written to the checkout, and no test imports from it. */
let copy = '';

/** Runs a program; what it prints is the message if it fails. */
async function run(program: string, args: readonly string[], cwd = copy): Promise<string> {
  const env = {
    ...process.env,
    ALAS_JSSP_COMMAND: join(root, 'bin/alas-jssp.js'),
    PYTHONDONTWRITEBYTECODE: '1',
    // Nothing of the user's: neither packages nor notebooks' settings.
    PYTHONNOUSERSITE: '1',
    JUPYTER_CONFIG_DIR: join(copy, '.jupyter'),
    IPYTHONDIR: join(copy, '.ipython'),
  };
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}\n${stderr}`.trim().slice(-6000) || String(error));
  }
}

/** Makes a virtual environment with the wheel alone; with `tools` it finds the installed tools as well. */
async function environment(name: string, withTools: boolean): Promise<string> {
  const place = join(copy, '..', name);
  await run(join(tools, 'python'), ['-m', 'venv', '--without-pip', place]);
  const python = join(place, 'bin', 'python');
  const install = ['--quiet', '--disable-pip-version-check', 'install', '--no-index', '--no-deps'];
  await run(join(tools, 'pip'), ['--python', python, ...install, built.wheel]);
  if (withTools) {
    const paths = 'import sysconfig; print(sysconfig.get_path("purelib"))';
    const [own, others] = await Promise.all([
      run(python, ['-c', paths]),
      run(join(tools, 'python'), ['-c', paths]),
    ]);
    writeFileSync(join(own.trim(), 'tools.pth'), others);
  }
  return python;
}

describe.skipIf(!isInstalled)('the Python package', () => {
  const place = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  beforeAll(async () => {
    copy = join(place, 'a folder', 'sources');
    mkdirSync(copy, { recursive: true });
    cpSync(sources, copy, { recursive: true });
    const dist = join(copy, '..', 'dist');
    // A release tests the very files that it publishes.
    const released = process.env.ALAS_JSSP_WHEEL;
    if (released) cpSync(released, dist, { recursive: true });
    else await run(join(tools, 'python'), ['-m', 'build', '--no-isolation', '--outdir', dist]);
    const [wheel = ''] = readdirSync(dist).filter((file) => file.endsWith('.whl'));
    built.wheel = join(dist, wheel);
    built.bare = await environment('bare', false);
    built.full = await environment('full', true);
  });

  it('is a wheel for every system, with types, without the tests, of the version of the engine', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(built.wheel).toMatch(new RegExp(`/alas_jssp-${version}-py3-none-any\\.whl$`));
    const list = await run(built.full, ['-m', 'zipfile', '-l', built.wheel]);
    expect(list).toMatch(/alas_jssp\/py\.typed/);
    expect(list).toMatch(/licenses\/LICENSE/);
    expect(list).not.toMatch(/tests|conftest|\.ipynb/);
    const check = [
      'check',
      '--strict',
      ...readdirSync(join(copy, '..', 'dist')).map((file) => join(copy, '..', 'dist', file)),
    ];
    expect(await run(join(tools, 'twine'), check)).toMatch(/PASSED[\s\S]*PASSED/);
  });

  it('has a README whose quick start runs', async () => {
    const [, code = ''] =
      /```python\n([\s\S]*?)```/.exec(readFileSync(join(sources, 'README.md'), 'utf8')) ?? [];
    const output = await run(built.full, ['-c', code]);
    expect(output).toMatch(
      /^False [\s\S]*before job 1, step 1 ends[\s\S]*55 becomes \d\d[\s\S]*ft20/,
    );
  });

  it('has a guide whose examples run, one after the other', async () => {
    const guide = readFileSync(join(root, 'docs/how-to/python.md'), 'utf8');
    const blocks = [...guide.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(blocks.length).toBeGreaterThan(4);
    const output = await run(built.full, ['-c', blocks.join('\n')]);
    expect(output).toMatch(/bad_plan \$\.plan\.entries\[0\]/);
  });

  it('has a tour that runs as a notebook, and that is kept without outputs', async () => {
    const tour = join(sources, 'examples/tour.ipynb');
    const { cells } = JSON.parse(readFileSync(tour, 'utf8')) as { cells: Cell[] };
    const kept = cells.filter(({ outputs, execution_count: count }) => outputs?.length || count);
    expect(kept).toEqual([]);
    const code = `
import json, sys, nbformat
from nbclient import NotebookClient
tour = nbformat.read(sys.argv[1], 4)
NotebookClient(tour, timeout=120, kernel_name="python3").execute()
print(json.dumps([output for cell in tour.cells for output in cell.get("outputs", [])]))`;
    // A kernel of this environment, whatever the user has installed.
    await run(built.full, ['-m', 'ipykernel', 'install', '--sys-prefix', '--name', 'python3']);
    const outputs = await run(built.full, ['-c', code, tour]);
    expect(outputs).toMatch(/valid: False - 7 violations/);
    expect(outputs.match(/"image\/png"/g)).toHaveLength(2);
  });

  it('has the licence of the project', () => {
    const licence = (file: string) => readFileSync(file, 'utf8');
    expect(licence(join(sources, 'LICENSE'))).toBe(licence(join(root, 'LICENSE')));
  });

  it('needs nothing but Python and the engine, from a folder with spaces and other letters', async () => {
    const place = join(temporaryDirectory(), 'ein Ordner größer');
    mkdirSync(place);
    const code = `
import sys, alas_jssp
assert "site-packages" in alas_jssp.__file__, alas_jssp.__file__
jobs = [[(0, 3), (1, 2)], [(1, 5)]]
plan = alas_jssp.repair(jobs, [("Job1", 1, 0, 0, 3)])
alas_jssp.Plan.of(plan).save("plän.json")
print(alas_jssp.validate(jobs, "plän.json".replace("p", "./p", 1))["valid"], "pandas" in sys.modules)
try:
    alas_jssp.records(".")
except alas_jssp.InputError as error:
    print(error)
`;
    const [judged, error] = (await run(built.bare, ['-c', code], place)).split('\n');
    expect([judged, error]).toEqual([
      'True False',
      expect.stringMatching(/no file|frames need pandas.*pip install "alas-jssp\[pandas\]"/),
    ]);
  });

  it('passes mypy --strict, also in a program that uses it, and needs no Python newer than 3.9', async () => {
    await run(join(tools, 'mypy'), ['--strict', '--python-version', '3.10', 'alas_jssp']);
    const program = join(copy, '..', 'program.py');
    writeFileSync(
      program,
      `import alas_jssp
makespan: float = alas_jssp.optimize("ft06", budget=1)["makespan"]
causes: list[alas_jssp.Cause] = alas_jssp.validate("ft06", [])["causes"]
print(makespan, [cause["code"] for cause in causes])
`,
    );
    const checked = ['--strict', '--python-executable', built.full, program];
    await run(join(tools, 'mypy'), checked, join(copy, '..'));
    writeFileSync(program, 'import alas_jssp\nx: int = alas_jssp.validate("ft06", [])["valid_"]\n');
    await expect(run(join(tools, 'mypy'), checked, join(copy, '..'))).rejects.toThrow(/valid_/);
    await run(join(tools, 'vermin'), [
      '-t=3.9-',
      '--violations',
      '--no-tips',
      '--eval-annotations',
      'alas_jssp',
    ]);
  });

  it('is formatted and free of what the linter finds', async () => {
    await run(join(tools, 'ruff'), ['check', '--no-cache', '.']);
    await run(join(tools, 'ruff'), ['format', '--no-cache', '--check', '.']);
  });

  it('passes its tests, as it is installed', async () => {
    // Without the sources beside the tests, they can only import the wheel.
    const place = join(copy, '..', 'tried');
    cpSync(join(sources, 'tests'), join(place, 'tests'), { recursive: true });
    copyFileSync(join(sources, 'pyproject.toml'), join(place, 'pyproject.toml'));
    const output = await run(built.full, ['-m', 'pytest', '-q', '-rf', '--tb=short'], place);
    const [, passed] = /(\d+) passed/.exec(output) ?? [];
    expect(Number(passed)).toBeGreaterThan(70);
  });
});
