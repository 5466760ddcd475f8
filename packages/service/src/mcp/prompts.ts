import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { markFileText } from './file-text.js';
import { instanceArgument, suiteArgument } from './resources.js';

/** Adds the prompts: the workflow for one instance, for a suite, and for a shop with events. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'plan_instance',
    {
      title: 'Plan an instance',
      description: 'The ALAS loop: plan, judge, repair, optimize',
      argsSchema: z.object({ instance: instanceArgument }),
    },
    ({ instance }) =>
      userMessage(`Make a good plan for the job-shop instance ${markFileText(instance)}.
1. Look at it with show_instance; read alas://instances/NAME if you need every operation.
2. Make a plan of your own: for each operation job, step, machine, start and end.
3. Judge it with validate_plan, and read the root causes.
4. Repair it with repair_plan. Say how much of your plan was kept.
5. Improve it with optimize, with the repaired plan as the start.
Report the makespan after each step, the lower bound, and the gap to the best known.`),
  );
  server.registerPrompt(
    'evaluate_suite',
    {
      title: 'Evaluate plans on a suite',
      description: 'Plans for the instances of a suite, judged and compared with the best known',
      argsSchema: z.object({ suite: suiteArgument }),
    },
    ({ suite }) =>
      userMessage(`Evaluate your own plans on the benchmark suite ${markFileText(suite)} (alas://suites/NAME).
For each instance, the small ones first: make a plan of your own, judge it with validate_plan, and only
then repair it with repair_plan. A plan counts as a success only if validate_plan said that it is valid.
Report a table: instance, valid before repair, violations, makespan after repair, gap to the best known.
Do not use optimize: it is the plans that are measured.`),
  );
  server.registerPrompt(
    'handle_event',
    {
      title: 'Handle an event',
      description: 'The cost of an event, and a recommended response',
      argsSchema: z.object({
        instance: z.string().describe('The instance, or the id of a shop'),
        what: z.string().describe('The event, in words'),
      }),
    },
    ({ instance, what }) =>
      userMessage(`Something happened in the shop ${markFileText(instance)}: ${markFileText(what)}
Write it as events (alas://formats has the kinds), and try them out with propose_event under the policies
default and high-stability (for a shop of the service: try_shop_event). Say what each costs: makespan,
tardiness, operations that move, and why the worst of them move. Recommend one. Report nothing to a shop
before the user has agreed.`),
  );
}

function userMessage(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
