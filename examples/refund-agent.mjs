// A saga in which a model decides: node examples/refund-agent.mjs [MODEL]
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { constraintValidator, decisionSchema, modelStep } from '@alas-jssp/agents';
import { createMemoryStore, defineWorkflow, step } from '@alas-jssp/workflow';
import * as z from 'zod';

const cassette = fileURLToPath(new URL('refund-agent.cassette.json', import.meta.url));
const complaint = z.object({ order: z.string(), paid: z.number(), text: z.string() });
const verdict = z.object({ amount: z.number(), decision: decisionSchema });

const atMostPaid = constraintValidator({
  name: 'D1',
  holds: '$output.amount <= $input.paid',
  text: 'A refund is at most what was paid',
  otherwise: 'feedback',
});

const decide = modelStep('decide', {
  model: argv[2] ?? `cassette:${cassette}`,
  system: 'You handle complaints of a shop for cups.',
  prompt: 'Decide how much the customer gets back, and give your reasons.',
  input: complaint,
  schema: verdict,
  budget: { tokens: 5000, calls: 5 },
  retry: 3,
  validate: (_, judged) => atMostPaid.judge(judged),
});

const pay = step('pay', {
  input: verdict,
  output: z.object({ paid: z.number() }),
  run: ({ amount }) => ({ paid: amount }),
  undo: ({ output }) => console.log(`the refund of ${output?.paid} is taken from the account`),
});

const refund = defineWorkflow('refund', { input: complaint }, (flow, input) =>
  flow.step(pay, flow.step(decide, input)),
);

const store = createMemoryStore();
const text = 'One of two cups is broken!';
const { status, output } = await refund.run(
  { order: 'A-7', paid: 40, text },
  { store, runId: 'r' },
);
console.log(status, output);

for (const { eventType, payload } of store.read({ runId: 'r' })) {
  if (eventType === 'Decide') console.log('decided:', payload.choice);
  if (eventType === 'ValidateFail') console.log('refused:', payload.errors[0][0].message);
  if (eventType === 'Response') console.log('answer:', payload.answer.tokens, payload.answer.usd);
}
