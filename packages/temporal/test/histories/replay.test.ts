import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { find } from '../../server.mjs';
import { Compression } from '../../src/codec/codecs.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const bundle = new URL('../../dist/workflow-bundle.js', import.meta.url);
const versions = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const histories = versions.flatMap((version) =>
  readdirSync(`${here}${version}`).map((file) => `${version}/${file}`),
);

/** Plays a recorded history through the workflows of a bundle; rejects where they would do something else. */
async function replay(file: string, code: string): Promise<void> {
  const history: unknown = JSON.parse(readFileSync(`${here}${file}`, 'utf8'));
  const dataConverter = { payloadCodecs: [new Compression()] };
  await Worker.runReplayHistory({ workflowBundle: { code }, dataConverter }, history);
}

// The server has no part in it, but where it is the package is built.
describe.skipIf(find() === undefined)('workflows of this build', () => {
  let code: string;

  beforeAll(() => {
    code = readFileSync(bundle, 'utf8');
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  });

  it.each(histories)('do what %s says', (file) => replay(file, code));

  it('are all in the histories of the last version', () => {
    const types = [
      ...readFileSync(new URL('../../src/workflows.ts', import.meta.url), 'utf8').matchAll(
        /\balas[A-Z]\w+/g,
      ),
    ];
    const recorded = readdirSync(`${here}${versions.sort().at(-1)}`);
    const missing = types.filter(([type]) => !recorded.some((file) => file.startsWith(`${type}-`)));
    expect(types.length).toBeGreaterThan(3);
    expect(missing.map(([type]) => type)).toEqual([]);
  });

  // Each edit is a change of the kind that breaks running workflows.
  it.each([
    ['alasSlice-1.json', /\bperformTask\b/g, 'performOther'],
    ['alasRun-1.json', /(['"])look up handlers\1/g, "'another activity'"],
  ])('are caught in %s when they change', async (file, was, is) => {
    const changed = code.replaceAll(was, is);
    expect(changed).not.toBe(code);
    await expect(replay(`${versions.at(-1)}/${file}`, changed)).rejects.toMatchObject({
      name: 'DeterminismViolationError',
    });
  });
});
