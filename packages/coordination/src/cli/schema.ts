import { Argument, Command, print, type Session } from 'alas-jssp/command-line';
import * as z from 'zod';
import { EVENTS_SCHEMA, eventsSchema } from '../events/events.js';
import { PLAN_SCHEMA, planSchema } from '../model/plan.js';
import { PROBLEM_SCHEMA, problemSchema } from '../model/problem-schema.js';
import { RUN_SCHEMA, runRecordSchema } from '../runs/record.js';
import { TRAVEL_EVENTS_SCHEMA, travelEventsSchema } from '../travel/events/travel-events.js';
import { TRAVEL_PLAN_SCHEMA, travelPlanSchema } from '../travel/model/travel-plan.js';
import { TRAVEL_SCHEMA, travelSchema } from '../travel/model/travel-schema.js';
import { TRAVEL_RUN_SCHEMA, travelRecordSchema } from '../travel/runs/travel-record.js';

const schemas = {
  problem: { title: PROBLEM_SCHEMA, schema: problemSchema },
  plan: { title: PLAN_SCHEMA, schema: planSchema },
  run: { title: RUN_SCHEMA, schema: runRecordSchema },
  events: { title: EVENTS_SCHEMA, schema: eventsSchema },
  travel: { title: TRAVEL_SCHEMA, schema: travelSchema },
  'travel-plan': { title: TRAVEL_PLAN_SCHEMA, schema: travelPlanSchema },
  'travel-events': { title: TRAVEL_EVENTS_SCHEMA, schema: travelEventsSchema },
  'travel-run': { title: TRAVEL_RUN_SCHEMA, schema: travelRecordSchema },
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
