import type { RecordDetail } from '../../views/page-data.js';

type NamedFact = readonly [name: string, value: string];

/** The outcome of a record in a list of facts; missing ones are omitted. */
export function RecordFacts({ record }: Pick<RecordDetail, 'record'>) {
  return (
    <>
      {record.error !== null && <p class="problems">{record.error}</p>}
      {record.contradiction !== null && <p class="problems">{record.contradiction}</p>}
      <dl class="facts">
        {[...outcomeOf(record), ...costOf(record), ...askingOf(record)].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

type DetailRecord = RecordDetail['record'];

function outcomeOf(record: DetailRecord): NamedFact[] {
  const { status, objective, makespan, tardiness, gap_percent: gap, claimed_makespan } = record;
  const { lower_bound: lower, upper_bound: upper, proven_optimal: isOptimal, root_causes } = record;
  const facts: NamedFact[] = [['status', status]];
  const isExecuted = record.disruption !== null;
  if (makespan !== null) {
    const name = isExecuted ? 'makespan as executed, under disruptions' : 'makespan';
    facts.push([name, `${makespan}${isOptimal ? ', proven optimal' : ''}`]);
  }
  if (claimed_makespan !== null && claimed_makespan !== makespan) {
    facts.push(['makespan as the plan claimed it', String(claimed_makespan)]);
  }
  if (objective !== 'makespan' && tardiness !== null) facts.push([objective, String(tardiness)]);
  if (gap !== null) facts.push(['gap to the best known', `${gap.toFixed(2)} %`]);
  facts.push([
    isExecuted ? 'bounds without disruptions' : 'bounds',
    upper === null ? `at least ${lower}` : `${lower} to ${upper}`,
  ]);
  const causes = Object.entries(root_causes ?? {}).filter(([, count]) => count > 0);
  if (causes.length > 0) {
    facts.push([
      'root causes in the plan as handed over',
      causes.map(([code, count]) => `${count} ${code}`).join(', '),
    ]);
  }
  return facts;
}

function costOf({ seconds, tokens, cost_usd, repair }: DetailRecord): NamedFact[] {
  const facts: NamedFact[] = [
    ['seconds in all', seconds.total.toFixed(seconds.total < 10 ? 3 : 1)],
  ];
  const spent = tokens.input + tokens.output;
  if (spent > 0) {
    facts.push([
      'tokens',
      `${tokens.input} in, ${tokens.output} out${tokens.estimated ? ' (estimated)' : ''}`,
    ]);
    if (cost_usd !== null) facts.push(['cost', `$${cost_usd.toFixed(4)}`]);
  }
  const { by = null, kept_order: kept = null, inserted = null } = repair ?? {};
  if (by !== null)
    facts.push(['repaired by', by === 'llm' ? 'the model itself' : 'the repair protocol']);
  if (kept !== null)
    facts.push(['order of the plan that was kept', `${(100 * kept).toFixed(0)} %`]);
  if (inserted !== null && inserted > 0) facts.push(['operations put in', String(inserted)]);
  return facts;
}

function askingOf({ llm }: DetailRecord): NamedFact[] {
  if (llm === null) return [];
  const { models, topology, format, requests, decoding } = llm;
  const facts: NamedFact[] = [['model', `${models.join(', ')} (${topology}, ${format})`]];
  if (requests !== null) {
    const { sent, rate_limited, timed_out, failed, cut_off, refused } = requests;
    const failures = { rate_limited, timed_out, failed, cut_off, refused };
    const what = Object.entries(failures).filter(([, count]) => count > 0);
    const words = what.map(([name, count]) => `, ${count} ${name.replace('_', ' ')}`).join('');
    facts.push(['requests', `${sent} sent${words}`]);
  }
  if (decoding !== null) {
    facts.push(['read of the answer', `${decoding.operations} of ${decoding.expected} operations`]);
  }
  return facts;
}
