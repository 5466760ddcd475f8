import { join } from 'node:path';
import { createTrialSystem, type ToolCatalogue, type Toolset } from '@alas-jssp/agents';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import {
  type LogStore,
  openSqliteStore,
  resumeRun,
  runWorkflow,
  verifyLog,
} from '@alas-jssp/workflow';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { type OpenedDraft, openDraft } from '../../src/index.js';
import { disturbed, letterWriter, refundWithAgents } from './refund-agents.js';

/** A store that breaks down at an append, before or after it is durable. */
function fragile(store: LogStore, lasts: number, durable: boolean) {
  let appends = 0;
  const append: LogStore['append'] = (entries, options) => {
    appends++;
    if (appends > lasts && !durable) throw new Error('power cut');
    const written = store.append(entries, options);
    if (appends > lasts) throw new Error('power cut');
    return written;
  };
  return { store: { ...store, append }, appends: () => appends };
}

/** The systems of one run, behind tools that outlive it. */
interface Systems {
  current: Toolset;
}

/** Runs the refund on an SQLite file that breaks down, and resumes it from the file, as another process would. */
async function breakOff(
  { workflow, registry, exampleInput }: OpenedDraft,
  { systems, catalogue }: { systems: Systems; catalogue: ToolCatalogue },
  file: string,
  lasts: number,
  durable: boolean,
) {
  const system = createTrialSystem(catalogue, { seed: 0 });
  const before = system.snapshot();
  systems.current = disturbed(system, { 'mail.send': { code: 'NoSuchAddress', acts: false } });
  const common = {
    registry,
    clock: virtualClock(),
    approvals: { 'send the mail': 'support-lead' },
  };
  const log = openSqliteStore(file);
  const { store, appends } = fragile(log, lasts, durable);
  const own = { ...common, store, runId: 'run', owner: 'first' };
  let result = await runWorkflow(workflow, exampleInput, own).catch(() => undefined);
  log.close();
  const again = openSqliteStore(file);
  const isGone = () => true;
  result ??= await resumeRun(again, 'run', { ...common, owner: 'second', isGone });
  const { valid } = verifyLog(again);
  again.close();
  return { result, appends: appends(), system, before, valid };
}

test('a refund that fails at its end is undone wherever its log in SQLite breaks off', async () => {
  const draft = refundWithAgents();
  draft.catalogue.tools.find(({ name }) => name === 'mail.send')?.refusals.push('NoSuchAddress');
  const { catalogue } = draft;
  const systems: Systems = { current: createTrialSystem(catalogue, { seed: 0 }) };
  const tools: Toolset = { ...systems.current, call: (...given) => systems.current.call(...given) };
  const opened = await openDraft(draft, { tools, models: { agents: letterWriter() } });
  const outside = { systems, catalogue };
  const directory = temporaryDirectory();
  const whole = await breakOff(opened, outside, join(directory, 'whole.db'), 1000, true);
  expect(whole.result.status).toBe('COMPENSATED');
  expect(whole.appends).toBeGreaterThan(20);
  for (let lasts = 1; lasts < whole.appends; lasts++) {
    // Just before an append is durable, or just after it, in turns.
    for (const durable of [lasts % 2 === 0]) {
      const file = join(directory, `${lasts}-${durable}.db`);
      const broken = await breakOff(opened, outside, file, lasts, durable);
      const { result, system, before, valid } = broken;
      const where = `at append ${lasts + 1}, durable: ${durable}`;
      expect(valid, where).toBe(true);
      if (result.status === 'COMPLETED') {
        // The mail was refused once: a second attempt after the power cut is sent.
        expect(result.committed.length, where).toBe(4);
      } else if (result.status === 'COMPENSATED') {
        expect(system.snapshot(), where).toBe(before);
      } else {
        expect(result.status, where).toBe('IN_DOUBT');
        expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['mail']);
      }
    }
  }
  await opened.close();
});
