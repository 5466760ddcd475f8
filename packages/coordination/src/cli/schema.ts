import { Argument, Command, print, type Session } from 'alas-jssp/command-line';
import { z } from 'zod';
import { EVENTS_SCHEMA, eventsSchema } from '../events/events.js';
import { PLAN_SCHEMA, planSchema } from '../model/plan.js';
import { PROBLEM_SCHEMA, problemSchema } from '../model/problem-schema.js';
import { RUN_SCHEMA, runRecordSchema } from '../runs/record.js';

const schemas = {
  problem: { title: PROBLEM_SCHEMA, schema: problemSchema },
  plan: { title: PLAN_SCHEMA, schema: planSchema },
  run: { title: RUN_SCHEMA, schema: runRecordSchema },
  events: { title: EVENTS_SCHEMA, schema: eventsSchema },
};

/** `alas-coordination schema`: prints the JSON schema of a kind of file, for editors and other programs. */
export function schemaCommand(session: Session): Command {
  return new Command('schema')
    .addArgument(new Argument('<kind>', 'kind of file').choices(Object.keys(schemas)))
    .addHelpText(
      'after',
      `
What names refer to, and whether windows are in order, is checked by validate
and not by the schema.

Examples:
  $ alas-coordination schema problem > problem.schema.json`,
    )
    .action(async (kind: keyof typeof schemas) => {
      const { title, schema } = schemas[kind];
      const json = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
      await print(session, JSON.stringify(json, null, 2));
    });
}
