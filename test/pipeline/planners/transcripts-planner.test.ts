import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { isSchedule } from '../../../src/jssp/plan.js';
import { runPipeline } from '../../../src/pipeline/pipeline.js';
import { createPlanner } from '../../../src/pipeline/planners/planners.js';
import { plainPlanner } from './plain-planner.js';

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const tiny = instanceFromJobs('tiny', [[[0, 3]]]);

const answer = (instance: string, model: string, response: string) =>
  JSON.stringify({ id: `${model}/${instance}`, topology: 'single', model, instance, response });
const said = (start: number) => `Job 1, Step 1: Machine0, Start: ${start}, End: ${start + 3}.`;

const file = join(directory, 'answers.jsonl');
writeFileSync(
  file,
  `${[
    answer('tiny', 'small', said(1)),
    answer('other', 'small', said(2)),
    answer('tiny', 'small', said(3)),
    answer('tiny', 'large', 'I cannot.'),
  ].join('\n')}\n`,
);

async function startsBy(spec: string, replicate?: number): Promise<number[]> {
  const plan = await plainPlanner(spec).plan(tiny, { seed: 1, replicate });
  return isSchedule(plan) ? [] : plan.entries.map(({ start }) => start);
}

describe('a transcripts planner', () => {
  it('decodes the k-th answer for the instance as its replicate k', async () => {
    expect(await startsBy(`transcripts:${file}`)).toEqual([1]);
    expect(await startsBy(`transcripts:${file}`, 1)).toEqual([3]);
  });

  it('chooses answers by model, topology and id', async () => {
    expect(await startsBy(`transcripts:${file}#model=large,topology=single`)).toEqual([]);
    expect(() => createPlanner(`transcripts:${file}#colour=red`)).toThrow(
      /not chosen by 'colour=red'/,
    );
  });

  it('refuses a file with another checksum than the one that is named', async () => {
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(await startsBy(`transcripts:${file}#sha256=${sum},model=small`)).toEqual([1]);
    const other = sum.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    await expect(startsBy(`transcripts:${file}#sha256=${other}`)).rejects.toThrow(
      `the answers have the checksum ${sum}, not ${other}`,
    );
  });

  it('tells of the answer, where it is and what was read of it', async () => {
    const context = { seed: 1, replicate: 1 };
    const named = await runPipeline(
      tiny,
      createPlanner(`transcripts:${file}#model=small`),
      context,
    );
    expect(named).toMatchObject({ usage: null });
    expect(named.promptReport).toMatchObject({
      ...{ models: ['small'], topology: 'single', format: 'text' },
      recorded: `${file}#small/tiny`,
      decoding: { operations: 1, expected: 1, ignored: {} },
    });
    const none = await runPipeline(tiny, createPlanner(`transcripts:${file}#model=large`), {
      seed: 1,
    });
    expect(none.promptReport).toMatchObject({ format: 'none', decoding: { operations: 0 } });
  });

  it('says what is missing or wrong', async () => {
    await expect(startsBy(`transcripts:${file}`, 3)).rejects.toThrow(/3 answers for tiny, not 4/);
    await expect(startsBy(`transcripts:${file}x`)).rejects.toThrow(/cannot be read \(ENOENT\)/);
    const bad = join(directory, 'bad.jsonl');
    writeFileSync(bad, `${answer('tiny', 'small', '')}\n{"id":1}\n`);
    await expect(startsBy(`transcripts:${bad}`)).rejects.toThrow(/bad\.jsonl:2:\$\.id/);
  });

  it.runIf(process.platform !== 'win32')('refuses a pipe', async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('bash', ['-c', 'mkfifo "$0"', pipe]);
    await expect(startsBy(`transcripts:${pipe}`)).rejects.toThrow(/this is a pipe, not a file/);
  });
});
