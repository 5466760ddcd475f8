import { compileTemplate } from '@alas-jssp/blueprint';
import { checkWorkflow, toWorkflow } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import { refundDraft } from './fixtures/refund.js';

describe('compileTemplate', () => {
  it('compiles a good draft into a workflow without findings', () => {
    const { template, specification, catalogue } = refundDraft();
    const { workflow, findings } = compileTemplate(template, specification, catalogue);
    expect(findings).toEqual([]);
    expect(toWorkflow(JSON.parse(JSON.stringify(workflow)))).toEqual(workflow);
    const handlers = Object.fromEntries(template.nodes.map(({ id }) => [id, {}]));
    expect(checkWorkflow(workflow, { handlers })).toEqual([]);
  });
});
