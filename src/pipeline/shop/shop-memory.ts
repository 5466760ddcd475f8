import { AlasError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';
import { sha256 } from '@alas-jssp/core/sha256';
import {
  createPlanMemory,
  type PlanCodec,
  type PlanLog,
  type PlanMemory,
} from '@alas-jssp/living-plan';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { advanceStatus, type Status, updateStatus } from '../../lcrp/phases/status.js';
import { referTo } from '../step-values.js';
import { byInstant, readLoggedEvents } from './log-values.js';
import { relativeModes, withLoggedModes } from './logged-modes.js';
import { paceTime } from './pace.js';
import type { FindInstance, ShopInput, ShopKind, ShopProposal } from './shop-values.js';
import { restoreWithout, withdrawalStatus } from './withdrawing.js';

/** The cached shops of a log, by run and version. */
export type ShopMemory = PlanMemory<ShopKind>;

/**
 * Creates an empty memory over a log.
 *
 * @param find finds an instance that a run references without its content
 * @throws AlasError, by its methods: `no_run`, `no_version`, `damaged_log`
 */
export function createShopMemory(store: PlanLog, find: FindInstance = notFound): ShopMemory {
  return createPlanMemory(store, shopCodec(find));
}

function shopCodec(find: FindInstance): PlanCodec<ShopKind> {
  return {
    noun: 'shop',
    open(input, known) {
      const instance = (known as Instance | undefined) ?? instanceOf(input, find);
      const every = input.start.map((_, op) => op);
      const assigned = withLoggedModes(instance, every, input.mode);
      const schedule = createSchedule(assigned, Int32Array.from(input.start));
      const instants = once(() => byInstant(readLoggedEvents(input.events, instance)));
      const first = { version: 1, now: 0, schedule };
      const { policy, clock } = input;
      const asks = policy.approval !== null;
      const isClocked = Boolean(clock);
      const given = () => instants().length;
      return { input, instance, first, asks, isClocked, instants, given };
    },
    effectOf({ schedule }, instant, history) {
      const { events, now, reportedAt = now, withdraws } = instant;
      const read = readLoggedEvents(events, schedule.instance, reportedAt);
      const report = { schedule, events: read, now: reportedAt };
      const options = { tooLate: 'skip' } as const;
      const status =
        withdraws === undefined
          ? updateStatus(report, options)
          : withdrawalStatus(
              restoreWithout(history, { ...instant, withdraws, now: reportedAt }),
              schedule,
              report,
              options,
            );
      return reportedAt === now ? status : advanceStatus(status, now);
    },
    readsHistory: ({ withdraws }) => withdraws !== undefined,
    patch: (status, proposal) => ({ schedule: scheduleOf(status, proposal) }),
    fingerprint: ({ schedule }) => fingerprint(schedule),
    timeAfter: ({ input, instance }, milliseconds) =>
      paceTime(input.clock, milliseconds, instance.timeScale),
  };
}

/** Applies a proposal to the shop in execution. */
export function scheduleOf(
  { task, before }: Status,
  proposal: Pick<ShopProposal, 'operations' | 'starts' | 'modes'>,
): Schedule {
  const { operations, starts, modes } = proposal;
  const start = before.start.slice();
  operations.forEach((op, i) => {
    start[op] = starts[i];
  });
  return createSchedule(withLoggedModes(task.instance, operations, modes), start);
}

/** The first 16 hex digits of the SHA-256 of the starts of a schedule, followed by its modes if it has any. */
export function fingerprint({ instance, start }: Schedule): string {
  const { modes } = instance;
  const numbers = modes === null ? [start] : [start, relativeModes(modes)];
  const bytes = numbers.map((each) => Buffer.from(each.buffer, each.byteOffset, each.byteLength));
  return sha256(Buffer.concat(bytes)).slice(0, 16);
}

function instanceOf({ instance: { content, ...reference } }: ShopInput, find: FindInstance) {
  const { name, sha256: wanted } = reference;
  const found =
    content === undefined
      ? find(reference)
      : parseInstance(JSON.stringify({ ...(content as object), name }), { name });
  if (referTo(found).sha256 === wanted) return found;
  const message = `${name} differs from the instance of the log; give the file of that run`;
  throw new AlasError('other_numbers', message, name);
}

function notFound({ name }: { readonly name: string }): never {
  const message = `the log does not contain the instance ${name}; give its file`;
  throw new AlasError('no_instance', message, name);
}
