// The tables of bench/repair.mjs, as Markdown, from its rows.

const ORDER = ['right-shift', 'affected', 'dispatch', 'phase 1', 'lcrp', 'recompute'];

/** @param {object[]} rows as bench/repair-cases.mjs makes them */
export function renderTables(rows) {
  const sample = rows.filter(({ part }) => part === 'sample');
  const parts = sample.length === 0 ? [] : [sampleTable(sample), frontTable(sample)];
  for (const severity of ['light', 'medium', 'heavy']) {
    const some = rows.filter((row) => row.part === 'all' && row.severity === severity);
    if (some.length > 0) parts.push(severityTable(severity, some));
  }
  return parts.join('\n');
}

/** Shares of the gap to the recompute that are closed, as ratios of means over all cases. */
function sampleTable(rows) {
  const methods = byMethod(rows);
  const makespan = (method) => mean(methods.get(method), 'makespan');
  const best = makespan('recompute');
  const changes = mean(methods.get('recompute'), 'rank_changes');
  const gapClosed = (from, to) => (makespan(from) - makespan(to)) / (makespan(from) - best);
  const lines = [...methods].map(([method, some]) => [
    method,
    percent(degradation(some)),
    gapClosed('right-shift', method).toFixed(3),
    method === 'right-shift' || method === 'dispatch'
      ? ''
      : gapClosed('phase 1', method).toFixed(3),
    mean(some, 'rank_changes').toFixed(1),
    `${Math.round((100 * mean(some, 'rank_changes')) / changes)} %`,
    mean(some, 'shift_mean').toFixed(1),
    method === 'recompute' ? '' : milliseconds(some, 0.5),
    method === 'recompute' ? '' : milliseconds(some, 0.99),
  ]);
  const worse = (a, b) =>
    pairs(methods.get(a), methods.get(b)).filter(([x, y]) => x.makespan > y.makespan).length;
  return [
    `### One breakdown: ${methods.get('recompute').length} cases`,
    '',
    table(
      [
        'method',
        'degradation',
        'gap closed from right-shift',
        'gap closed from phase 1',
        'rank changes',
        'of recompute',
        'start deviation',
        'p50 ms',
        'p99 ms',
      ],
      lines,
    ),
    '',
    `Worse than phase 1: lcrp in ${worse('lcrp', 'phase 1')} cases, high-stability in ${worse('lcrp, high-stability', 'phase 1')}; phase 1 worse than right-shift in ${worse('phase 1', 'right-shift')}.`,
    '',
  ].join('\n');
}

/**
 * Degradation as a share of the gap between right-shift and recompute, and deviation as a share of its rank
 * changes; the hypervolume is the share of the unit square that methods dominate.
 */
function frontTable(rows) {
  const methods = byMethod(rows);
  const makespan = (method) => mean(methods.get(method), 'makespan');
  const [worst, best] = [makespan('right-shift'), makespan('recompute')];
  const changes = mean(methods.get('recompute'), 'rank_changes');
  const points = [...methods].map(([method, some]) => ({
    method,
    loss: (mean(some, 'makespan') - best) / (worst - best),
    deviation: mean(some, 'rank_changes') / changes,
  }));
  const isDominated = (p) =>
    points.some(
      (q) =>
        q !== p &&
        q.loss <= p.loss &&
        q.deviation <= p.deviation &&
        (q.loss < p.loss || q.deviation < p.deviation),
    );
  const front = points.filter((p) => !isDominated(p)).sort((a, b) => a.deviation - b.deviation);
  const volume = (some) => hypervolume(some).toFixed(3);
  const ofLcrp = points.filter(({ method }) => method === 'phase 1' || method.startsWith('lcrp'));
  const others = points.filter((p) => !ofLcrp.includes(p) && p.method !== 'recompute');
  return [
    '### Loss against deviation: the front',
    '',
    table(
      ['method', 'loss (right-shift 1, recompute 0)', 'rank changes (recompute 1)'],
      front.map(({ method, loss, deviation }) => [method, loss.toFixed(3), deviation.toFixed(3)]),
    ),
    '',
    `Hypervolume within the unit square: phase 1 and lcrp ${volume(ofLcrp)}, the other fast methods ${volume(others)}, all ${volume(points)}.`,
    '',
  ].join('\n');
}

function hypervolume(points) {
  let volume = 0;
  let level = 1;
  for (const { loss, deviation } of points.toSorted((a, b) => a.deviation - b.deviation)) {
    if (deviation >= 1 || loss >= level) continue;
    volume += (1 - deviation) * (level - Math.max(0, loss));
    level = Math.max(0, loss);
  }
  return volume;
}

function severityTable(severity, rows) {
  const methods = byMethod(rows);
  const [[, first]] = methods;
  return [
    `### ${severity[0].toUpperCase()}${severity.slice(1)}: ${first.length} cases of ${mean(first, 'events').toFixed(1)} events each; sums over their repairs`,
    '',
    table(
      [
        'method',
        'degradation',
        'edited operations',
        'rank changes',
        'start deviation',
        'Kendall',
        'match-up',
        'p50 ms',
        'p99 ms',
        'p99 ms to 2,000 op.',
      ],
      [...methods].map(([method, some]) => [
        method,
        percent(degradation(some)),
        mean(some, 'edited_operations').toFixed(1),
        mean(some, 'rank_changes').toFixed(1),
        mean(some, 'shift_mean').toFixed(1),
        mean(some, 'kendall').toFixed(4),
        mean(some, 'match_up').toFixed(0),
        milliseconds(some, 0.5),
        milliseconds(some, 0.99),
        milliseconds(
          some.filter(({ operations }) => operations <= 2000),
          0.99,
        ),
      ]),
    ),
    '',
  ].join('\n');
}

function table(heads, lines) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [row(heads), row(heads.map((_, i) => (i === 0 ? '---' : '---:'))), ...lines.map(row)].join(
    '\n',
  );
}

/** Rows by method: what is compared first, ours after it, the long search last. */
function byMethod(rows) {
  const rank = ({ method }) => ORDER.findIndex((start) => method.startsWith(start));
  const groups = new Map();
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b))) {
    if (!groups.has(row.method)) groups.set(row.method, []);
    groups.get(row.method).push(row);
  }
  return groups;
}

function pairs(some, others) {
  const keyOf = ({ instance, severity, replicate }) => `${instance} ${severity} ${replicate}`;
  const byKey = new Map(others.map((row) => [keyOf(row), row]));
  return some.map((row) => [row, byKey.get(keyOf(row))]);
}

function mean(rows, key) {
  return rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
}

function degradation(rows) {
  const shares = rows.map((row) => row.makespan / row.planned_makespan - 1);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function percent(share) {
  return `${(100 * share).toFixed(2)} %`;
}

function milliseconds(rows, share) {
  const sorted = rows.flatMap(({ ms }) => ms).sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted.length === 0 ? '' : sorted[at].toFixed(2);
}
