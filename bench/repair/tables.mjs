// The tables of bench/repair.mjs, as Markdown, from its rows.

/** One line for each kind and objective; for those who change policies. */
export function renderTuning(rows) {
  const lines = groupsOf(rows).map(([label, cases]) => {
    const lcrp = cases.map(({ lcrp }) => lcrp);
    const asked = cases.filter(isDifferent);
    return [
      label,
      cases.length,
      share(cases, 'affected'),
      share(cases, 'dispatch'),
      share(cases, 'lcrp'),
      relativeShare(cases, 'lcrp'),
      percentOf(asked, 'lcrp'),
      share(cases, 'lcrp, high-stability'),
      percentOf(asked, 'lcrp, high-stability'),
      cases.filter(isWorse).length,
      `${Math.round(100 * mean(lcrp, ({ evaluations }) => (evaluations > 0 ? 1 : 0)))} %`,
      quantile(lcrp, 'cpu_ms', 0.5),
      quantile(lcrp, 'cpu_ms', 0.99),
    ];
  });
  return table(
    [
      '',
      'cases',
      'affected',
      'dispatch',
      'lcrp',
      'relative',
      'rank',
      'stable',
      'rank',
      'worse',
      'ran',
      'p50 cpu',
      'p99 cpu',
    ],
    lines,
  );
}
export function renderTables(rows) {
  return renderTuning(rows);
}

/** Cases by kind and objective: of each one row by method. */
function groupsOf(rows) {
  const groups = new Map();
  for (const row of rows) {
    const label = `${row.kind}, ${row.objective === 'makespan' ? 'makespan' : 'tardiness'}`;
    const key = `${row.name} ${row.replicate}`;
    if (!groups.has(label)) groups.set(label, new Map());
    const cases = groups.get(label);
    if (!cases.has(key)) cases.set(key, []);
    cases.get(key).push(row);
  }
  return [...groups].map(([label, cases]) => {
    const seeds = [...cases.values()].flatMap((some) => casesBySeed(some));
    return [label, seeds];
  });
}

function casesBySeed(rows) {
  const seeds = new Set(rows.map(({ seed }) => seed));
  return [...seeds].map((seed) =>
    Object.fromEntries(
      rows.filter((row) => row.seed === 0 || row.seed === seed).map((row) => [row.method, row]),
    ),
  );
}

/** Whether right-shift and recompute differ in more than a few places, or by more than a little. */
function isDifferent(methods) {
  const { recompute } = methods;
  if (recompute === undefined) return false;
  const gap = methods['right-shift'].value - recompute.value;
  return recompute.rank_changes > 3 || gap > 0.002 * recompute.value;
}

function isWorse(methods) {
  return methods.lcrp.value > Math.min(methods.affected.value, methods.dispatch.value);
}

/** The share of the gap from right-shift to recompute that is closed: a ratio of means. */
function share(cases, method) {
  return shareOf(cases, method, () => 1);
}

/** The same of values relative to those of right-shift: large shops and small ones count alike. */
function relativeShare(cases, method) {
  return shareOf(cases, method, (methods) => Math.max(1, methods['right-shift'].value));
}

function shareOf(cases, method, unitOf) {
  const some = cases.filter(({ recompute }) => recompute !== undefined);
  const value = (name) => mean(some, (methods) => methods[name].value / unitOf(methods));
  const gap = value('right-shift') - (some.length === 0 ? 0 : value('recompute'));
  return some.length === 0 || gap === 0
    ? '–'
    : ((value('right-shift') - value(method)) / gap).toFixed(3);
}

function percentOf(cases, method) {
  const changes = (name) => mean(cases, (methods) => methods[name].rank_changes);
  if (cases.length === 0 || changes('recompute') === 0) return '–';
  return `${Math.round((100 * changes(method)) / changes('recompute'))} %`;
}

function table(heads, lines) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [row(heads), row(heads.map((_, i) => (i === 0 ? '---' : '---:'))), ...lines.map(row)].join(
    '\n',
  );
}

function mean(rows, measure) {
  return rows.reduce((sum, row) => sum + measure(row), 0) / rows.length;
}

function quantile(rows, key, share) {
  const sorted = rows.flatMap((row) => row[key]).sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted.length === 0 ? '' : sorted[at].toFixed(2);
}
