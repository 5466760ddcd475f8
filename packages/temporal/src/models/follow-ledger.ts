import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { RunJob } from 'alas-jssp/harness';
import type { LedgerReport } from './ledger-messages.js';

/** Milliseconds between two queries of a ledger. */
const LOOK = 10_000;

/** Limit of the wait for the report of a ledger at its end, in milliseconds. */
const LAST = 15_000;

/** Reports the waits and notes of a run's workers to its starter, until `signal` ends it. */
export async function followLedger(
  client: Client,
  workflowId: string,
  { onWait, onNotice }: Pick<RunJob, 'onWait' | 'onNotice'>,
  signal: AbortSignal,
): Promise<void> {
  const reported = new Set<string>();
  const isNew = (text: string) => !reported.has(text) && reported.add(text);
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

/** The report of a ledger that is closed or about to be; null if it is unavailable. */
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
