import * as z from 'zod';
import { changeOfEnd, policySchema, timeSchema } from '../../api/common.js';
import { type OutcomeAnswer, rowSchema, shopIdSchema } from '../../api/shop-schemas.js';
import { shopsOfCaller } from '../../shops/caller-shops.js';
import type { ShopDirectory } from '../../shops/shop-directory.js';
import { withoutMarks } from '../file-text.js';
import { eventsInput } from '../inputs.js';
import { directTool, type ToolCall, WORST } from '../tool.js';

const shop = shopIdSchema.describe('The id of a shop, from list_shops');
const nowInput = timeSchema.optional().describe('Default: now, by the clock of the shop');
const rowInput = rowSchema.optional();
const change = changeOfEnd.nullable();
const move = z.looseObject({});
const keyInput = z
  .string()
  .min(1)
  .max(200)
  .describe('Chosen by you, a new one for each report: a repeated key has no second effect');
const outcome = z.looseObject({
  status: z.string(),
  row: z.string().nullable().describe('The chosen row'),
  version: z.int(),
  makespan: change,
  moved: z.int(),
  moves: z.array(move),
  reasons: z.array(z.string()),
  lines: z.array(z.string()),
  repeated: z.boolean(),
});

/** Lists the shops of the service. */
export const listShops = directTool({
  name: 'list_shops',
  title: 'List the shops',
  description: 'Lists the shops of this service: their plans and what they wait for.',
  role: 'view',
  input: z.object({
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(100).default(WORST),
  }),
  answer: z.object({
    total: z.number(),
    shops: z.array(z.looseObject({ shop: z.string() })),
    next_offset: z.number().nullable(),
  }),
  run: async ({ offset, limit }, call) => {
    const shops = await shopsOf(call).list();
    const end = offset + limit;
    return {
      answer: {
        total: shops.length,
        shops: shops.slice(offset, end).map(({ id, ...rest }) => ({ shop: id, ...rest })),
        next_offset: end < shops.length ? end : null,
      },
    };
  },
});

/** Shows the current state of a shop. */
export const showShop = directTool({
  name: 'show_shop',
  title: 'Show a shop',
  description:
    'Shows the current state of a shop: machines that run or are down, next operations, late jobs, and the proposal that waits for approval. The address in `document` has all machines and the next ten operations of each.',
  role: 'view',
  input: z.object({ shop }),
  answer: z.looseObject({
    shop: z.string(),
    machine_states: z.array(z.looseObject({})),
    late: z.array(z.looseObject({})),
    more: z.object({ machine_states: z.int(), late: z.int() }),
    document: z.object({ uri: z.string() }),
  }),
  run: async ({ shop: id }, call) => {
    const full = await shopsOf(call).state(id, { next: WORST });
    const { id: _, machine_states: machines, late, proposal, ...rest } = full;
    return {
      answer: {
        ...rest,
        shop: id,
        machine_states: machines
          .slice(0, WORST)
          .map(({ next, ...machine }) => ({ ...machine, next_operation: next[0] ?? null })),
        late: late.slice(0, WORST),
        proposal: proposal && { ...proposal, ...shortMoves(proposal) },
        more: {
          machine_states: Math.max(0, machines.length - WORST),
          late: Math.max(0, late.length - WORST),
        },
        document: { uri: '#shop' },
      },
      documents: {
        shop: {
          name: 'shop',
          description: 'The whole state of the shop',
          text: JSON.stringify(full),
        },
      },
    };
  },
});

/** Computes the cost of events in a shop. */
export const tryShopEvent = directTool({
  name: 'try_shop_event',
  title: 'Try events out in a shop',
  description:
    'Computes the cost of events for a shop of this service, by policy: makespan and tardiness before and after, and the operations that would move. Changes nothing.',
  role: 'view',
  input: z.object({
    shop,
    events: eventsInput,
    now: nowInput,
    row: rowInput.describe('The only row to try'),
    policies: z
      .array(policySchema)
      .min(1)
      .max(5)
      .optional()
      .describe('Default: the rows that report_event may choose'),
  }),
  answer: z.object({
    version: z.int(),
    now: timeSchema,
    trials: z.array(z.looseObject({ repaired: z.boolean(), moved: z.int(), moves: z.array(move) })),
    skipped: z.array(z.looseObject({})),
  }),
  run: async ({ shop: id, events, now, row, policies }, call) => {
    const request = withoutMarks({ events, now, row });
    const by = { caller: call.caller };
    const trial = await shopsOf(call).tryOut(id, request, by, withoutMarks(policies));
    const trials = trial.trials.map((one) => ({ ...one, ...shortMoves(one) }));
    return { answer: { ...trial, trials, skipped: trial.skipped.slice(0, WORST) } };
  },
});

/** Reports events to a shop. */
export const reportEvent = directTool({
  name: 'report_event',
  title: 'Report events to a shop',
  description:
    'Reports events to a shop of this service, as they happened on the floor. The shop repairs its plan, at once or after an approval, by its policy or by the chosen `row` of try_shop_event. Use try_shop_event first; a mistaken report can be withdrawn (withdraw_report).',
  role: 'report',
  writes: true,
  input: z.object({
    shop,
    events: eventsInput,
    now: nowInput,
    row: rowInput.describe(
      'The row of try_shop_event to repair by. Default: the policy of the shop',
    ),
    key: keyInput,
  }),
  answer: outcome,
  run: async ({ shop: id, events, now, row, key }, call) => {
    const by = { caller: call.caller, key };
    const request = withoutMarks({ events, now, row });
    return shortOutcome(await shopsOf(call).report(id, request, by));
  },
});

/** Withdraws a report. */
export const withdrawReport = directTool({
  name: 'withdraw_report',
  title: 'Withdraw a report',
  description:
    'Withdraws or corrects a mistaken report to a shop: the shop continues as if the report had not been made, except for operations started since, and repairs its plan.',
  role: 'report',
  writes: true,
  input: z.object({
    shop,
    version: z.int().min(1).describe('The version that the report made, from its answer'),
    instead: eventsInput.optional().describe('Events to report in its place'),
    now: nowInput,
    key: keyInput,
  }),
  answer: outcome,
  run: async ({ shop: id, version, instead, now, key }, call) => {
    const by = { caller: call.caller, key };
    const request = withoutMarks({ version, instead, now });
    return shortOutcome(await shopsOf(call).withdraw(id, request, by));
  },
});

/** An outcome with shortened lists. */
function shortOutcome(full: OutcomeAnswer) {
  return {
    answer: {
      ...full,
      ...shortMoves(full),
      skipped: full.skipped.slice(0, WORST),
      lines: full.lines.slice(0, WORST),
      reasons: full.reasons.slice(0, WORST),
    },
  };
}

function shopsOf({ directory, caller }: ToolCall): ShopDirectory {
  if (directory === undefined) throw new Error('there are no shops here');
  return shopsOfCaller(directory, caller);
}

/** The first moves, and the number of the others. */
function shortMoves<Move>({ moves, more }: { readonly moves: readonly Move[]; more: number }) {
  return { moves: moves.slice(0, WORST), more: more + Math.max(0, moves.length - WORST) };
}
