import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../../packages/convert/src/convert.js';
import { cli, temporaryDirectory } from '../cli.js';

const refund = resolve('examples/refund.json');
const travel = resolve('examples/travel.json');

/** A directory with files in it. */
function directory(files: Readonly<Record<string, string>> = {}): string {
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const convert = (line: string, cwd = directory(), input = '') =>
  cli(['workflow', 'convert', ...line.split(' ')], { cwd, input });

const read = (cwd: string, file: string) => readFileSync(join(cwd, file), 'utf8');

describe('alas-jssp workflow convert', () => {
  it.each([
    ['asl', /^\{\n[\s\S]*"StartAt"/],
    ['argo', /^apiVersion: argoproj\.io\/v1alpha1\n/],
    ['bpmn', /^<\?xml [\s\S]*<\/(bpmn2?:)?definitions>\s*$/],
  ])('writes the document of --to %s alone, to stdout or to a file', async (language, form) => {
    const cwd = directory();
    const shown = await convert(`${refund} --to ${language}`, cwd);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(form);
    const kept = await convert(`${refund} --to ${language} --out doc --quiet`, cwd);
    expect(kept).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read(cwd, 'doc')).toBe(shown.stdout);
    expect(readdirSync(cwd)).toEqual(['doc']);
  });

  it.each(['asl', 'argo', 'bpmn'])(
    'lists on stderr the features that are not native in %s',
    async (language) => {
      const { stdout } = await convert(`${refund} --to ${language} --json`);
      const { notes, counts } = JSON.parse(stdout);
      const { stderr } = await convert(`${refund} --to ${language}`);
      const rows = stderr.split('\n');
      for (const { feature, level, how } of notes) {
        if (level === 'native') continue;
        const row = rows.find((line) => line.startsWith(`${feature} `) && line.includes(how));
        expect(row).toContain(` ${level} `);
      }
      expect(rows.at(-2)).toBe(
        `${notes.length} uses of features: ${counts.native} native, ${counts.emulated} emulated, ${counts['static-only']} static-only, 0 unsupported`,
      );
    },
  );

  it('gives programs the report on stdout, with the document unless that has a file', async () => {
    const cwd = directory();
    const shown = await convert(`${travel} --to asl --json`, cwd);
    const { document, ...report } = JSON.parse(shown.stdout);
    expect(report).toMatchObject({
      schema: 'alas-jssp/conversion@1',
      workflow: 'trip',
      to: 'asl',
      allowed: [],
    });
    expect(report.notes).toContainEqual(
      expect.objectContaining({ feature: 'compensation', place: 'ground/berlin/hotel-berlin' }),
    );
    const kept = await convert(`${travel} --to asl --json --out trip.asl.json`, cwd);
    expect(JSON.parse(kept.stdout)).toEqual(report);
    expect(read(cwd, 'trip.asl.json')).toBe(document);
  });

  it('writes the report into a file, JSON or CSV', async () => {
    const cwd = directory();
    await convert(`${travel} --to asl --report report.json`, cwd);
    const { notes } = JSON.parse(read(cwd, 'report.json'));
    const { stdout } = await convert(`${travel} --to asl --report report.csv`, cwd);
    expect(JSON.parse(stdout)).toHaveProperty('StartAt');
    const [header, ...rows] = read(cwd, 'report.csv').trimEnd().split('\n');
    expect(header).toBe('feature,place,level,how');
    expect(rows).toHaveLength(notes.length);
  });

  it('replaces no file that it reads or writes', async () => {
    const cwd = directory({ 'r.json': readFileSync(refund, 'utf8'), 'm.json': '{}' });
    for (const line of ['--out r.json', '--report ./r.json', '--out d --report d']) {
      const { code, stderr } = await convert(`r.json --to asl ${line}`, cwd);
      expect(code).toBe(2);
      expect(stderr).toMatch(/ this command also reads or writes this file; name another file\n$/);
    }
    expect(read(cwd, 'r.json')).toBe(readFileSync(refund, 'utf8'));
    expect(readdirSync(cwd).sort()).toEqual(['m.json', 'r.json']);
  });

  it('says of YAML that is nested too deep that it is', async () => {
    const cwd = directory({ deep: `StartAt: a\nStates: ${'['.repeat(200_000)}` });
    const { code, stderr } = await convert('deep', cwd);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^alas-jssp: deep: it nests too deeply; [^\n]*\n$/);
  });

  it('takes the workflow from stdin', async () => {
    const { stdout } = await cli(['workflow', 'blueprint']);
    const piped = await convert('- --to asl', directory(), stdout);
    expect(piped.code).toBe(0);
    expect(JSON.parse(piped.stdout)).toHaveProperty('States');
  });

  it('puts the places of a map into the document, and reports differences between map and workflow', async () => {
    const map = {
      schema: 'alas-jssp/handler-map@1',
      handlers: { refund: { arn: 'arn:of-refund' }, refnud: { arn: 'arn:of-nothing' } },
      compensators: { 'undo-refund': { arn: 'arn:of-undo' } },
    };
    const cwd = directory({ 'map.json': JSON.stringify(map) });
    const { stdout, stderr } = await convert(`${refund} --to asl --map map.json`, cwd);
    expect(stdout).toContain('arn:of-refund');
    expect(stdout).toContain('arn:of-undo');
    expect(stdout).not.toContain('arn:of-nothing');
    expect(stderr).toContain(
      'the map has names that the workflow does not have: handlers.refnud\n',
    );
    expect(stderr).toMatch(/^without arn in a --map: handlers\.eligibility, handlers\.ticket, /m);
    expect(stderr).not.toMatch(/^without arn.*undo-refund/m);
  });

  it.each(TARGETS)(
    'reads back from %s what it wrote, and writes the same of it',
    async (language) => {
      const cwd = directory();
      await convert(`${refund} --to ${language} --out there`, cwd);
      const back = await convert('there --out back.json', cwd);
      expect(back).toMatchObject({ code: 0, stdout: '' });
      expect(JSON.parse(read(cwd, 'back.json'))).toMatchObject({ name: 'refund' });
      const again = await convert(`back.json --to ${language}`, cwd);
      expect(again.stdout).toBe(read(cwd, 'there'));
      const through = await convert(`there --to ${language}`, cwd);
      expect(through.stdout).toBe(read(cwd, 'there'));
    },
  );
});

describe('alas-jssp workflow convert refuses in one line', () => {
  const sound = {
    schema: 'alas-jssp/workflow@1',
    name: 'shop',
    policies: { plain: {} },
    defaultPolicy: 'plain',
    nodes: [{ id: 'plan', type: 'task' }],
    edges: [],
  };
  const files = {
    'empty.json': '',
    'broken.json': '{\n  "schema": "alas-jssp/workflow@1",\n  oops\n}',
    'list.json': '[]',
    'typo.json': JSON.stringify({ ...sound, node: [] }),
    'loose.json': JSON.stringify({ ...sound, defaultPolicy: undefined }),
    'cycle.json': JSON.stringify({ ...sound, edges: [{ from: 'plan', to: 'plan' }] }),
    'w.json': JSON.stringify(sound),
    'w.asl.json': '{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}',
    'w.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n',
    'tabs.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n\tentrypoint: a\n',
    'w.bpmn': '<?xml version="1.0"?><definitions/>',
    'map.txt': 'handlers: {}',
    'map.json': '{"schema": "alas-jssp/handler-map@1", "handlers": {"plan": "arn:1"}}',
  };

  it.each([
    ['w.json', undefined],
    [
      'w.json --to bpnm',
      "option '--to <language>' argument 'bpnm' is invalid: allowed choices are",
    ],
    ['w.json --to asl --allow-loss jiter', 'there is no feature "jiter"; did you mean jitter?'],
    ['w.json --to asl --allow-loss retry,', undefined],
    ['w.json --to asl --json --format text', '--json cannot be used with --format text'],
    ['none.json --to asl', 'none.json: there is no such file; check the path'],
    ['empty.json --to asl', 'empty.json: the file is empty; give a file with content'],
    ['broken.json --to asl', 'broken.json:3: "oops" is not JSON here; correct it'],
    ['list.json --to argo', 'list.json:$: this is an empty list; give an object with keys out of'],
    ['typo.json --to bpmn', 'typo.json:$: the key "node" is unknown; give an object with keys'],
    ['loose.json --to asl', 'loose.json:$.nodes[0]: plan has no policy'],
    ['cycle.json --to bpmn', 'cycle.json:$.'],
    ['w.asl.json --to argo', 'w.asl.json: it carries no workflow: only documents that'],
    ['w.yaml --to asl', 'w.yaml: it carries no workflow: only documents that'],
    ['w.bpmn --to asl', 'w.bpmn: '],
    ['tabs.yaml', 'tabs.yaml:4'],
    ['w.json --to asl --map none.json', 'none.json: there is no such file; check the path'],
    ['w.json --to asl --map map.txt', 'map.txt:1: "handlers:" is not JSON here; correct it'],
    ['w.json --to asl --map map.json', 'map.json:$.handlers.plan: this is "arn:1"; give an object'],
    ['w.json --to asl --out no/doc', 'no/doc: its directory does not exist; make the directory'],
    ['w.json --to asl --report no/r', 'no/r: its directory does not exist; make the directory'],
  ])('%s', async (line, message) => {
    const cwd = directory(files);
    const { code, stdout, stderr } = await convert(line, cwd);
    if (message === undefined) return expect(code).toBe(0);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^alas-jssp: [^\n]*\n$/);
    expect(stderr).toContain(`alas-jssp: ${message}`);
  });

  it('what would be lost, and writes no file then', async () => {
    const policies = { plain: {}, back: { catch: [{ errors: ['Late'], backTo: 'plan' }] } };
    const nodes = [...sound.nodes, { id: 'send', type: 'task', policyRef: 'back' }];
    const edges = [{ from: 'plan', to: 'send' }];
    const cwd = directory({ 'w.json': JSON.stringify({ ...sound, policies, nodes, edges }) });
    const line = 'w.json --to argo --out doc --report r.json';
    const refused = await convert(line, cwd);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^alas-jssp: w\.json:send: Argo Workflows cannot say back-to: .*--allow-loss [\w,-]+\n$/,
    );
    expect(existsSync(join(cwd, 'doc')) || existsSync(join(cwd, 'r.json'))).toBe(false);
    const [, features = ''] = /--allow-loss ([\w,-]+)\n$/.exec(refused.stderr) ?? [];
    const allowed = await convert(`${line} --allow-loss ${features}`, cwd);
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toContain(' unsupported ');
    expect(JSON.parse(read(cwd, 'r.json')).allowed).toEqual(features.split(','));
  });
});
