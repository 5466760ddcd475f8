import { type LogStore, stateOfRun } from '@alas-jssp/workflow';
import { InputError } from 'alas-jssp';
import { counted } from 'alas-jssp/command-line';
import { describeTravelEvent } from '../events/travel-events.js';
import { formatMoney } from '../model/travel-problem.js';
import { editRadiusOf } from './propose.js';
import type {
  HeldBooking,
  TripInput,
  TripNext,
  TripProposal,
  TripResult,
  TripState,
} from './trip-values.js';

/** A line of the account of a trip: the agent that worked, in which phase, and what came of it. */
export interface TripLine {
  readonly phase: number;
  readonly agent: string;
  readonly text: string;
}

/** The story of a trip, from its log alone. */
export interface TripStory {
  readonly runId: string;
  /** `given_up`: all bookings were taken back. `in_doubt`, `failed`: see `problem`. */
  readonly status: 'booked' | 'waiting' | 'running' | 'given_up' | 'in_doubt' | 'failed';
  readonly state: TripState | null;
  readonly currency: string;
  readonly account: readonly TripLine[];
  /** Why it waits, or how it failed. */
  readonly problem: string | null;
  /** Bookings that exist or may exist although the run was undone, by node. */
  readonly remaining: readonly string[];
}

/** The agents by the steps in which they work. */
const AGENT_OF: Readonly<Record<TripNext, string>> = {
  read_offers: 'validation',
  propose: 'itinerary',
  check_plan: 'validation',
  decide: 'people',
  book_flight: 'flight',
  book_hotel: 'hotel',
  book_train: 'train',
  track_budget: 'budget',
  release: 'saga',
  verify: 'validation',
  next_event: 'world',
  give_up: 'saga',
  end: 'saga',
};

/**
 * The story of a trip.
 *
 * @throws InputError `no_trip`
 */
export function tripStory(store: LogStore, runId = 'trip'): TripStory {
  const run = store.runs().includes(runId) ? stateOfRun(store, runId) : undefined;
  if (run?.workflow.name !== 'trip') {
    const hint = 'give the log of travel book, and --run if the trip has another id';
    throw new InputError('no_trip', `the log has no trip ${runId}`, hint, {}, runId);
  }
  const { currency = 'USD' } = (run.input as unknown as TripInput).problem;
  const account: TripLine[] = [];
  let state: TripState | null = null;
  let before: TripState | null = null;
  for (const { nodeId, eventType, payload } of store.read({ runId })) {
    if (eventType === 'Compensated' || eventType === 'CompensateFail') {
      const what = eventType === 'Compensated' ? 'nothing is left of' : 'something may be left of';
      account.push({ phase: 3, agent: 'saga', text: `${what} the booking in ${nodeId}` });
    }
    if (eventType !== 'EndNode') continue;
    const { output } = payload as unknown as { output: unknown };
    const step = nodeId.split('/').at(-1) ?? '';
    if (step === 'coordinate') before = (output as { state: TripState }).state;
    else if (step === 'record' || step === 'begin') state = output as TripState;
    else if (before !== null && isResult(output)) {
      account.push(...linesOfResult(before, output, currency));
    }
    if (step === 'record' && before?.next === 'check_plan' && state !== null) {
      account.push(...linesOfPlan(before, state, currency));
    }
  }
  const { end } = run;
  const inDoubt = (end?.inDoubt ?? []).map(({ nodeId }) => nodeId);
  const remaining = [...(end?.remaining ?? []).map(({ nodeId }) => nodeId), ...inDoubt];
  const status = statusOfTrip(end, state);
  const problem = status === 'waiting' ? waitsFor(state) : (end?.error?.message ?? null);
  return { runId, status, state, currency, account, problem, remaining };
}

function statusOfTrip(
  end: ReturnType<typeof stateOfRun>['end'],
  state: TripState | null,
): TripStory['status'] {
  if (end === undefined) return state?.next === 'decide' ? 'waiting' : 'running';
  if (end.status === 'COMPLETED') return 'booked';
  if (end.status === 'IN_DOUBT') return 'in_doubt';
  const isUndone = ['COMPENSATED', 'FAILED', 'CANCELLED'].includes(end.status);
  const isAsked = end.error?.code === 'GivenUp' || end.status === 'CANCELLED';
  return isUndone && isAsked ? 'given_up' : 'failed';
}

function waitsFor(state: TripState | null): string {
  const count = state?.proposals.length ?? 0;
  if (count > 0) return `it waits for people to choose one of ${count} itineraries`;
  const why = state?.trouble?.message ?? state?.feedback.at(-1) ?? 'no itinerary fits';
  return `it waits for people, because it cannot go on alone: ${why}`;
}

function isResult(output: unknown): output is TripResult {
  return typeof output === 'object' && output !== null && 'kind' in output;
}

function linesOfResult(state: TripState, result: TripResult, currency: string): TripLine[] {
  const { phase, next } = state;
  const line = (text: string, agent = AGENT_OF[next]): TripLine[] => [{ phase, agent, text }];
  const money = (cents: number) => `${formatMoney(cents)} ${currency}`;
  switch (result.kind) {
    case 'offers':
      return line(`reads the offers: ${counted(result.changes.length, 'offer')} changed`);
    case 'proposals':
      return [
        ...line(
          `proposes ${result.proposals.length === 1 ? '1 itinerary' : `${result.proposals.length} itineraries`} (${result.notes.join('; ')})`,
        ),
        ...result.proposals.flatMap((one, i) => line(`  ${i + 1}: ${proposalInWords(one, money)}`)),
      ];
    case 'verdicts': {
      const all = state.proposals.length;
      const head = `finds ${result.valid.length} of ${all} valid`;
      return [...line(head), ...result.violations.slice(0, 5).flatMap((one) => line(`  ${one}`))];
    }
    case 'decision':
      return line(decisionInWords(result, currency));
    case 'booked':
      return line(
        `${state.todo[0]?.id}: ${inWords(state.todo[0])}, ${result.reference}, ${money(result.price)}`,
      );
    case 'refused':
      return line(
        `${state.todo[0]?.id}: ${inWords(state.todo[0])} is refused: ${result.message} [${result.code}]`,
      );
    case 'budget':
      return line(
        `${money(result.total)} booked, ${money(result.lost)} lost, ${money(result.remaining)} left`,
      );
    case 'released': {
      const one = state.held.find(({ id }) => id === result.transaction);
      const what =
        one === undefined ? `the key ${result.transaction}` : `${one.id}: ${inWords(one)}`;
      const fee = result.fee === 0 ? 'nothing is lost' : `${money(result.fee)} are lost`;
      return line(`takes back ${what}; ${fee}`);
    }
    case 'stuck':
      return line(`cannot take back ${result.transaction}: ${result.message}`);
    case 'verified':
      return line(verificationInWords(state, result));
    case 'event':
      return line(`! ${result.event.at}: ${describeTravelEvent(result.event)}`);
  }
}

/** The change that the coordinator carries out after a failure. */
function linesOfPlan(
  before: TripState,
  { next, proposals, phase }: TripState,
  currency: string,
): TripLine[] {
  const [chosen] = proposals;
  if (next === 'decide' || next === 'propose' || chosen === undefined || before.agreed.length === 0)
    return [];
  const radius = editRadiusOf(before.agreed, chosen).toFixed(2);
  const back = chosen.release.length === 0 ? 'nothing' : chosen.release.join(', ');
  const text = `level ${chosen.level}: takes back ${back}, edit radius ${radius}, ${formatMoney(chosen.lost)} ${currency} lost by it`;
  return [{ phase, agent: 'saga', text }];
}

function proposalInWords(
  { bookings, money, cost }: TripProposal,
  inMoney: (cents: number) => string,
): string {
  const offers = bookings.map(({ offer }) => offer).join(', ');
  const worth = cost === money ? '' : ` (cost with preferences ${inMoney(cost)})`;
  return `${inMoney(money)}${worth}: ${offers}`;
}

function decisionInWords(
  { choice, proposal = 1, budget, words, by }: Extract<TripResult, { kind: 'decision' }>,
  currency: string,
): string {
  const parts = [
    choice === 'choose'
      ? `${by} chooses ${proposal}`
      : choice === 'retry'
        ? `${by} lets it try again`
        : `${by} gives the trip up`,
    ...(budget === undefined
      ? []
      : [`budget ${formatMoney(Math.round(100 * budget))} ${currency}`]),
    ...(words === undefined ? [] : [`"${words}"`]),
  ];
  return parts.join(', ');
}

function verificationInWords(
  { held, todo }: TripState,
  { missing, surplus, voided, violations }: Extract<TripResult, { kind: 'verified' }>,
): string {
  const found = [
    ...(voided.length > 0 ? [`the service gave up ${voided.join(', ')}`] : []),
    ...(missing.length > 0 ? [`not in the books: ${missing.join(', ')}`] : []),
    ...(surplus.length > 0
      ? [`in the books, but nobody's: ${counted(surplus.length, 'booking')}`]
      : []),
    ...violations,
  ];
  if (found.length > 0) return `compares the books: ${found.join('; ')}`;
  const whole = todo.length === 0 ? ', a whole trip by the judge' : '';
  return `compares the books: ${counted(held.length, 'booking')}, as it should be${whole}`;
}

function inWords(one: Pick<HeldBooking, 'booking'> | undefined): string {
  if (one === undefined) return 'a booking';
  const { booking } = one;
  if (booking.kind === 'hotel')
    return `${booking.offer} from ${booking.from} until ${booking.until}`;
  return booking.kind === 'train' && booking.pass !== undefined
    ? `${booking.offer} with ${booking.pass}`
    : booking.offer;
}
