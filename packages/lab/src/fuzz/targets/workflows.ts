// Parsers of workflows, of documents in the languages of other engines, of guards and of logs.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertWorkflow, readConverted, TARGETS } from '@alas-jssp/convert';
import { AlasError } from '@alas-jssp/core/errors';
import {
  type AuditableLog,
  checkWorkflow,
  compileGuard,
  createMemoryStore,
  describeState,
  describeWorkflow,
  foldOutputs,
  type LogEntry,
  lastSnapshot,
  listRuns,
  parseWorkflow,
  readExportedLog,
  requireUnchanged,
  sliceLog,
  stateAt,
  stateOfRun,
  verifyLog,
  type Workflow,
  writeWorkflow,
} from '@alas-jssp/workflow';
import type { FuzzTarget } from '../target.js';
import { requireSame } from './require-same.js';

const example = (path: string) => ({ file: `examples/${path}` });
const textOf = (input: Uint8Array) => new TextDecoder().decode(input);

export const workflowTarget: FuzzTarget = {
  name: 'workflow',
  seeds: [example('refund.json'), example('travel.json')],
  run: (input) => {
    const workflow = parseWorkflow(input);
    for (const { message } of checkWorkflow(workflow)) {
      if (message.includes('\n')) throw new Error('a finding has more than a line');
    }
    describeWorkflow(workflow);
    const written = writeWorkflow(workflow);
    requireSame(written, writeWorkflow(parseWorkflow(written)), 'the workflow');
  },
};

export const guardTarget: FuzzTarget = {
  name: 'guard',
  seeds: [
    { text: '$outputs.pay.amount > 10 and $input.vip = true' },
    { text: '$count($input.items[price > 5]) >= 2 or $not($exists($output.x))' },
    { text: '$sum($input.items.price) * 2 - 1 < 7 ? true : $contains($input.name, "a")' },
  ],
  run: async (input) => {
    const guard = compileGuard(textOf(input), {
      variables: { input: true, outputs: true, output: true },
    });
    const bindings = {
      input: { items: [{ price: 6 }], name: 'aaa' },
      outputs: { pay: { amount: 11 } },
      output: {},
    };
    await guard.evaluate(bindings);
  },
};

const workflows: readonly Workflow[] = ['refund.json', 'travel.json'].map((name) =>
  parseWorkflow(readFileSync(join('examples', name))),
);

export const convertTarget: FuzzTarget = {
  name: 'convert',
  seeds: [
    ...(await Promise.all(
      TARGETS.flatMap((target) =>
        workflows
          .slice(0, 1)
          .map(async (workflow) => ({ text: await documentOf(workflow, target) })),
      ),
    )),
    { text: 'apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: &a\n  x: [*a, *a]\n' },
    {
      text: '<?xml version="1.0"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p"/></definitions>',
    },
  ],
  run: async (input) => {
    await readConverted(textOf(input));
  },
};

async function documentOf(workflow: Workflow, target: (typeof TARGETS)[number]): Promise<string> {
  try {
    return (await convertWorkflow(workflow, target)).text;
  } catch (error) {
    return String(error);
  }
}

export const conversionTarget: FuzzTarget = {
  name: 'conversion',
  seeds: [example('refund.json'), example('travel.json')],
  run: async (input) => {
    const workflow = parseWorkflow(input);
    for (const target of TARGETS) {
      let text: string;
      try {
        text = (await convertWorkflow(workflow, target)).text;
      } catch (error) {
        if (error instanceof AlasError) continue;
        throw error;
      }
      const back = await readConverted(text);
      requireSame(writeWorkflow(workflow), writeWorkflow(back), `the workflow in ${target}`);
    }
  },
};

const logFile = join(tmpdir(), `fuzz-log-${process.pid}.jsonl`);
const logs = ['refund', 'trip', 'tour'].map((name) => ({
  text: readFileSync(
    join('packages', 'workflow', 'test', 'fixtures', `${name}.jsonl`),
    'utf8',
  ).slice(0, 60_000),
}));

export const logTarget: FuzzTarget = {
  name: 'log',
  seeds: logs,
  run: (input) => {
    writeFileSync(logFile, input);
    const log = readExportedLog(logFile);
    verifyLog(log);
    listRuns(log);
  },
};

/** A log whose entries were forged with the right hashes. */
export const forgedLogTarget: FuzzTarget = {
  name: 'forged-log',
  seeds: logs,
  run: (input) => {
    const log = forgedLog(textOf(input));
    verifyLog(log);
    listRuns(log);
    for (const runId of log.runs()) {
      requireUnchanged(log, runId);
      describeState(stateOfRun(log, runId));
      stateAt(log, runId, 3, foldOutputs);
      lastSnapshot(log, runId);
      sliceLog(log, runId);
    }
  },
};

/** The entries of an export, appended to an empty log, which computes their hashes. */
function forgedLog(text: string): AuditableLog {
  const log = createMemoryStore();
  for (const line of text.split('\n').slice(1)) {
    let entry: LogEntry;
    try {
      entry = JSON.parse(line);
    } catch {
      continue;
    }
    if (
      typeof entry !== 'object' ||
      entry === null ||
      typeof entry.payload !== 'object' ||
      entry.payload === null
    )
      continue;
    const { ts, nodeId, eventType, payload } = entry;
    log.append([
      { runId: 'run', ts: String(ts), nodeId, eventType, payload, correlationId: null } as never,
    ]);
  }
  return log;
}
