import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { RunJob } from 'alas-jssp/harness';
import type { LedgerReport } from './ledger-messages.js';

/** Milliseconds between two looks at a ledger: each is a query. */
const LOOK = 10_000;

/** Milliseconds that the report of a ledger is waited for at its end. */
const LAST = 15_000;

/** Tells whoever began a run what its workers wait for, and what they have to say, until `signal` ends it. */
export async function followLedger(
  client: Client,
  workflowId: string,
  { onWait, onNotice }: Pick<RunJob, 'onWait' | 'onNotice'>,
  signal: AbortSignal,
): Promise<void> {
  const told = new Set<string>();
  const isNew = (text: string) => !told.has(text) && told.add(text);
  while (!signal.aborted) {
    const report = await readReport(client, workflowId);
    for (const { provider, reason, seconds, at } of report?.waits ?? []) {
      const isOver = at + seconds * 1000 < Date.now();
      if (!isOver && isNew(`${provider} ${at}`))
        onWait({ reason: `${provider}: ${reason}`, seconds });
    }
    for (const line of Object.values(report?.notes ?? {})) if (isNew(line)) onNotice(line);
    await sleep(LOOK, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The report of a ledger that is about to be closed, or is; null if nobody can tell. */
export async function lastReport(client: Client, workflowId: string): Promise<LedgerReport | null> {
  const handle = client.workflow.getHandle(workflowId);
  return client.connection
    .withDeadline(Date.now() + LAST, () => handle.result() as Promise<LedgerReport>)
    .catch(() => readReport(client, workflowId));
}

async function readReport(client: Client, workflowId: string): Promise<LedgerReport | null> {
  const handle = client.workflow.getHandle(workflowId);
  return client.connection
    .withDeadline(Date.now() + LOOK, () => handle.query<LedgerReport>('report'))
    .catch(() => null);
}
