import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { namespaceWords } from '../bench/namespaces.mjs';
import { find } from '../server.mjs';

const CAMPAIGN = fileURLToPath(new URL('../bench/campaign.mjs', import.meta.url));

const NONE = find() === undefined || namespaceWords() === null;

describe.skipIf(NONE)('a campaign on a network of namespaces', { timeout: 180_000 }, () => {
  it('loses and doubles nothing when a worker is killed and another cut off', async () => {
    const place = mkdtempSync(join(tmpdir(), 'campaign-test-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const json = join(place, 'figures.json');
    const words = ['--suite', 'ta21', '--replicates', '16', '--optimize', '40k-iterations'];
    const faults = ['--workers', '3', '--kill', '0.1', '--cut', '0.2', '--cut-seconds', '4'];
    const { code, stdout } = await run([...words, ...faults, '--part', 'faults', '--json', json]);
    expect(stdout).toMatch(/records lost, doubled or different: 0\n$/);
    expect(code).toBe(0);
    const [threads, row] = JSON.parse(readFileSync(json, 'utf8')).rows;
    expect([threads.tasks, row.tasks, row.workers]).toEqual([16, 16, 3]);
    expect(row.failed.killed).toBe(1);
    expect(row.failed.cutSeconds).toBeGreaterThan(0);
    const ended = row.tasksOfWorkers.reduce((sum: number, tasks: number) => sum + tasks, 0);
    expect(ended).toBe(16);
  });
});

function run(words: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, [CAMPAIGN, ...words], (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}
