import { WORKFLOW_SCHEMA, workflowSchema } from '@alas-jssp/workflow';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find } from '../../server.mjs';
import { traceWith } from '../../src/telemetry/tracing.js';
import { openTestServer, runThere, type TestServer } from '../run-world.js';

const workflow = workflowSchema.parse({
  schema: WORKFLOW_SCHEMA,
  name: 'traced',
  nodes: [{ id: 'step', type: 'task', handler: 'plain' }],
  edges: [],
  policies: { plain: {} },
  defaultPolicy: 'plain',
});

describe.skipIf(find() === undefined)('spans', () => {
  const exporter = new InMemorySpanExporter();
  let there: TestServer;

  beforeAll(async () => {
    await traceWith(new SimpleSpanProcessor(exporter));
    there = await openTestServer();
    await there.work('traced', { handlers: { plain: { run: () => 1 } } });
  });

  afterAll(() => there.stop());

  it('of the client, the workflow and its steps are one trace', async () => {
    const { result } = await runThere(there, 'traced', workflow, 1, {
      runId: 'traced',
      unchecked: true,
    });
    expect(result.status).toBe('COMPLETED');
    // Spans of workflows go out with the task that made them.
    await expect.poll(() => namesOf(exporter)).toContain('RunWorkflow:alasRun');
    const spans = exporter.getFinishedSpans();
    const started = spans.find(({ name }) => name === 'StartWorkflow:alasRun');
    const traceId = started?.spanContext().traceId;
    const ours = spans.filter((span) => span.spanContext().traceId === traceId);
    const depthOf = (id: string | undefined): number => {
      const span = ours.find((one) => one.spanContext().spanId === id);
      return span === undefined ? 0 : 1 + depthOf(span.parentSpanId);
    };
    const deepest = Math.max(...ours.map((span) => depthOf(span.spanContext().spanId)));
    expect(ours.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^StartActivity:/),
        expect.stringMatching(/^RunActivity:/),
      ]),
    );
    // The client starts, the workflow runs, it starts an activity, the activity runs.
    expect(deepest).toBe(4);
  });
});

function namesOf(exporter: InMemorySpanExporter): string[] {
  return exporter.getFinishedSpans().map(({ name }) => name);
}
