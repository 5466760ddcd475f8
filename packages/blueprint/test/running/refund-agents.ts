import { playCassette, type Toolset } from '@alas-jssp/agents';
import type { AgentFile, OpenableDraft, Template } from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';

type Implementation = AgentFile['implementation'];

/** An agent of the refund. */
export function agent(
  name: string,
  implementation: Implementation,
  output: AgentFile['output'] = {},
): AgentFile {
  return {
    schema: 'alas-jssp/agent@1',
    name,
    specification: name,
    does: name,
    access: 'compute',
    capabilities: [],
    input: {},
    output,
    implementation,
    made: { by: 'generation', model: 'nobody', prompt: name },
    tests: [],
  };
}

const code = (name: string) => agent(name, { kind: 'code', file: `${name}.js` });

/** The refund with agents, after a change of its template. */
export function refundWithAgents(change: (template: Template) => void = () => {}): OpenableDraft {
  const { template, specification, catalogue } = refundDraft();
  change(template);
  const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  return {
    name: 'refund',
    passed: true,
    findings: [],
    specification,
    template,
    catalogue,
    models: { planner: 'nobody', agents: 'nobody', reviewer: null },
    agents: [
      code('checkRefund'),
      code('checkLetter'),
      code('decline'),
      agent('letter', { kind: 'prompt', system: 'You write.', instruction: 'Write it.' }, text),
    ],
    files: {
      'checkRefund.js': 'export default ({ asked, refunded }) => ({ ok: asked === refunded });',
      'checkLetter.js':
        'export default ({ text, amount }) => ({ ok: text.includes(String(amount)) });',
      'decline.js': 'export default ({ order }) => ({ answer: "no refund of " + order });',
    },
  };
}

/** The model that writes letters. */
export function letterWriter(text = 'You get 80 euros.') {
  return playCassette(
    {
      schema: 'alas-jssp/cassette@1',
      origin: 'handwritten',
      model: null,
      answers: { 'agent/letter': [{ text }] },
    },
    'letters',
  );
}

/** A toolset whose calls are recorded, some of which fail with a code, before or after they act. */
export function disturbed(
  toolset: Toolset,
  faults: Readonly<Record<string, { readonly code: string; readonly acts: boolean }>> = {},
): Toolset & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    ...toolset,
    calls,
    async call(name, input, call) {
      calls.push(name);
      const fault = faults[name];
      if (fault === undefined) return toolset.call(name, input, call);
      // Only the work of the node fails, not its repetition by the undo.
      if (calls.filter((one) => one === name).length > 1) return toolset.call(name, input, call);
      if (fault.acts) await toolset.call(name, input, call);
      throw Object.assign(new Error(fault.code), { code: fault.code });
    },
  };
}
