// Two mistakes, for the compiler to find.
import * as z from 'zod';
import { defineWorkflow } from '../../../../src/workflow/define/define-workflow.js';
import { step } from '../../../../src/workflow/define/step.js';

const double = step('double', {
  input: z.number(),
  output: z.object({ amount: z.number() }),
  run: (n) => ({ amount: `${n}${n}` }),
});

defineWorkflow('w', { input: z.number() }, (flow, n) => {
  const doubled = flow.step(double, n);
  return flow.step(double, doubled.amout);
});
