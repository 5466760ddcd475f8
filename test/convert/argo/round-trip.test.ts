import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readArgo } from '../../../src/convert/argo/read.js';
import { writeArgo } from '../../../src/convert/argo/write.js';
import { toWorkflow } from '../../../src/workflow/ir/workflow-file.js';
import { coreOf } from '../core-fields.js';
import { arbitraryWorkflow } from '../random-workflows.js';

const small = () =>
  toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'small',
    nodes: [
      { id: 'ask', type: 'wait', message: 'go', policyRef: 'patient' },
      { id: 'pay', type: 'task', effect: 'compensable', policyRef: 'paid' },
      { id: 'tell', type: 'task', policyRef: 'paid' },
    ],
    edges: [
      { from: 'ask', to: 'pay' },
      { from: 'pay', to: 'tell' },
    ],
    policies: {
      patient: { wait: { seconds: 60 } },
      paid: {
        retry: { maxAttempts: 3, retryOn: ['Busy', 'Timeout'] },
        backoff: { mode: 'exponential', base: 0.5, jitter: 0.2 },
        timeout: { seconds: 30 },
        idempotencyKey: {},
        compensation: { handler: 'void', safeReinvoke: true },
      },
    },
  });

interface Document {
  metadata: { annotations: Record<string, string> };
  spec: { templates: { name: string; [key: string]: unknown }[] };
}

/** The small workflow as a document, changed by hand, and read again. */
async function readChanged(change: (templates: (name: string) => Record<string, unknown>) => void) {
  const { text } = await writeArgo(small());
  const document: Document = parse(text);
  change((name) => document.spec.templates.find((one) => one.name === name) ?? {});
  return readArgo(stringify(document), 'small.yaml');
}

describe('a document for Argo', () => {
  it('is read as the workflow that it was written from', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow({ timers: true, rich: true }), async (workflow) => {
        const { text, report } = await writeArgo(workflow);
        const read = await readArgo(text);
        expect(coreOf(read.workflow)).toEqual(coreOf(workflow));
        // Of what is not in the core nothing is lost either, and it is said what became of it.
        expect(read.workflow).toEqual(workflow);
        expect(read.report).toEqual(report);
      }),
      { numRuns: 150 },
    );
  });

  it('is believed about attempts, waits and deadlines that were changed in it', async () => {
    const { workflow } = await readChanged((template) => {
      template('pay-run').retryStrategy = {
        limit: '4',
        retryPolicy: 'Always',
        expression: 'lastRetry.message contains "\\"code\\":\\"Down\\""',
        backoff: { duration: '1m' },
      };
      template('pay-run').activeDeadlineSeconds = 7;
      template('ask-ask').suspend = { duration: '2m' };
    });
    const [ask, pay, tell] = workflow.nodes.map(
      ({ policyRef }) => workflow.policies[policyRef ?? ''],
    );
    expect(ask.wait).toEqual({ seconds: 120 });
    expect(pay.retry).toEqual({ maxAttempts: 5, retryOn: ['Down'] });
    expect(pay.backoff).toEqual({ mode: 'fixed', base: 60, jitter: 0.2 });
    expect(pay.timeout).toEqual({ seconds: 7 });
    expect(pay.compensation).toEqual(small().policies.paid.compensation);
    expect(tell).toEqual(small().policies.paid);
  });

  it('is refused where it was changed and its annotations were not', async () => {
    const cut = readChanged((template) => {
      const { tasks } = template('main').dag as { tasks: { depends?: string }[] };
      tasks[2].depends = 'ask.Succeeded';
    });
    await expect(cut).rejects.toMatchObject({
      code: 'changed_document',
      location: { file: 'small.yaml', path: '$.spec.templates.main.dag.tasks[2].depends' },
    });
  });

  it('may have other images, names and accounts', async () => {
    const { workflow } = await readChanged((template) => {
      template('pay-run').container = {
        image: 'shop/pay:3',
        command: ['pay'],
        args: ['{{inputs.parameters.call}}'],
      };
    });
    expect(workflow).toEqual(small());
  });
});

describe('what is no document for Argo', () => {
  it.each([
    ['a: [1', { code: 'bad_argo', location: { line: 1 } }],
    ['a: 1', { code: 'bad_argo' }],
    ['kind: CronWorkflow', { problem: 'this is "CronWorkflow"', location: { path: '$.kind' } }],
    ['kind: Workflow', { location: { path: '$.spec' } }],
    ['kind: Workflow\nspec: {}', { location: { path: '$.spec.templates' } }],
    ['a: 1\n---\nb: 1', { problem: 'there are 2 documents in it' }],
    ['', { code: 'bad_argo' }],
  ])('%j is refused', async (text, error) => {
    await expect(readArgo(text)).rejects.toMatchObject(error);
  });
});
