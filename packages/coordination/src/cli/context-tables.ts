import {
  type Column,
  columnsOf,
  type Format,
  fixed,
  printMore,
  renderTable,
  type Session,
  whole,
} from 'alas-jssp/command-line';
import type { CapabilityRow } from '../experiments/capabilities.js';
import type { ContextPair, ContextReport, ContextRow } from '../experiments/context-report.js';
import type { Rate } from '../experiments/rates.js';

/** Prints the tables of experiments, after those of the plans. */
export async function printContext(
  session: Session,
  format: Exclude<Format, 'json'>,
  { conditions, pairs, capabilities }: ContextReport,
): Promise<void> {
  const print = <T>(columns: readonly Column<T>[], rows: readonly T[]) =>
    rows.length === 0
      ? undefined
      : printMore(session, format, (as, style) => renderTable(columns, rows, as, style));
  await print(conditionColumns, conditions);
  await print(pairColumns, pairs);
  await print(capabilityColumns, capabilities);
}

/** The keys of a row that are rates. */
type RateKey<T> = { [Key in keyof T]: T[Key] extends Rate ? Key : never }[keyof T] & string;

/** A rate with its interval and the number of records behind it: `62 [41, 79] of 20`. */
function rateText({ percent, low, high, n }: Rate): string {
  if (percent === null) return '–';
  const interval = low === null || high === null ? '' : ` [${low.toFixed(0)}, ${high.toFixed(0)}]`;
  return `${percent.toFixed(0)}${interval} of ${n}`;
}

const condition = columnsOf<ContextRow>();

function conditionRate(key: RateKey<ContextRow>, header: string): Column<ContextRow> {
  return condition.of(key, (row) => rateText(row[key]), {
    header,
    align: 'right',
    when: (rows) => rows.some((row) => row[key].n > 0),
  });
}

const conditionColumns: Column<ContextRow>[] = [
  condition('planner'),
  condition('experiment'),
  condition('condition'),
  condition('records', whole),
  condition('plans', whole),
  condition('shown_tokens', fixed(0), { header: 'prompt tokens' }),
  conditionRate('stated', '% stated'),
  conditionRate('kept', '% kept'),
  conditionRate('kept_stated', '% of stated kept'),
  conditionRate('history', '% of past kept'),
  conditionRate('verdicts', '% right verdicts'),
  conditionRate('valid', '% valid'),
];

/** The measures of differences, as the columns of conditions call them. */
const MEASURES: Readonly<Record<ContextPair['measure'], string>> = {
  kept: '% kept',
  valid: '% valid',
  history: '% of past kept',
  verdict: '% right verdicts',
};

const pair = columnsOf<ContextPair>();
const pairColumns: Column<ContextPair>[] = [
  pair('planner'),
  pair('experiment'),
  pair.of('arms', ({ arms: [first, second] }) => `${first} − ${second}`, { header: 'difference' }),
  pair('filler', whole, { when: (rows) => rows.some(({ filler }) => filler !== null) }),
  pair('measure', (measure) => MEASURES[measure as ContextPair['measure']], { align: 'left' }),
  pair('n', whole, { header: 'pairs' }),
  pair.of('percent', differenceText, { header: 'points', align: 'right' }),
  pair('better', whole),
  pair('worse', whole),
  pair('equal', whole),
  pair('p', fixed(3)),
];

/** A difference with its interval: `+12 [+3, +20]`. */
function differenceText({ percent, low, high }: ContextPair): string {
  if (percent === null) return '–';
  const interval = low === null || high === null ? '' : ` [${signed(low)}, ${signed(high)}]`;
  return `${signed(percent)}${interval}`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(0)}`;
}

const capability = columnsOf<CapabilityRow>();

function capabilityRate(key: RateKey<CapabilityRow>, header: string): Column<CapabilityRow> {
  return capability.of(key, (row) => rateText(row[key]), { header, align: 'right' });
}

const capabilityColumns: Column<CapabilityRow>[] = [
  capability('planner'),
  capability('capability', { header: 'table 10 of SagaLLM, in %' }),
  capabilityRate('everything', 'everything'),
  capabilityRate('recency', 'recency'),
  capabilityRate('slices', 'slices'),
  capabilityRate('slices_repaired', 'slices, judged, repaired'),
];
