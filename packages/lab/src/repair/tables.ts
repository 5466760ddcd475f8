// The tables of `npm run bench -- repair`, as Markdown, from its rows.

/** The repair of a case by a method. */
export interface RepairRow {
  name: string;
  kind: string;
  objective: string;
  replicate: number;
  method: string;
  seed: number;
  operations: number;
  planned: number;
  value: number;
  rank_changes: number;
  wip_moves: number;
  evaluations: number;
  /** Milliseconds of warm repairs, on the clock and of the processor. */
  ms: number[];
  cpu_ms: number[];
}

/** The rows of a case and a seed, by method. */
type Methods = Record<string, RepairRow>;
type FigureName = 'value' | 'rank_changes' | 'wip_moves';
type Cell = string | number;

/** A method in the plane of loss and deviation, both relative to the recompute. */
interface Point {
  method: string;
  loss: number;
  deviation: number;
}

const OBJECTIVES = [
  ['makespan', 'makespan'],
  ['total-weighted-tardiness', 'tardiness'],
];
const KINDS =
  'breakdown,duration,arrival,arrival-due,delay,cancellation,restored,light,medium,heavy'.split(
    ',',
  );
const STABLE = 'lcrp, high-stability';

export function renderTables(rows: readonly RepairRow[]) {
  const parts = OBJECTIVES.flatMap(([objective, word]) => {
    const some = rows.filter((row) => row.objective === objective);
    return some.length === 0
      ? []
      : [gapTable(some, word), frontTable(some, word), earlyTable(some, word)];
  });
  return [...parts, gainTable(rows), timeTable(rows)].filter((part) => part !== '').join('\n');
}

/** One line for each kind and objective; for those who change policies. */
export function renderTuning(rows: readonly RepairRow[]) {
  const lines = groupsOf(rows).map(([label, cases]) => {
    const lcrp = cases.map((methods: Methods) => methods.lcrp);
    return [
      label,
      cases.length,
      share(cases, 'affected'),
      share(cases, 'dispatch'),
      share(cases, 'lcrp'),
      relativeShare(cases, 'lcrp'),
      changesOf(cases, 'lcrp'),
      share(cases, STABLE),
      changesOf(cases, STABLE),
      cases.filter(isWorse).length,
      ranIn(cases),
      quantile(lcrp, 'cpu_ms', 0.5),
      quantile(lcrp, 'cpu_ms', 0.99),
    ];
  });
  const heads = 'affected,dispatch,lcrp,relative,rank,stable,rank,worse,ran,p50 cpu,p99 cpu';
  return table(['', 'cases', ...heads.split(',')], lines);
}

/** Shares of the gap to the recompute that are closed, for every kind. */
function gapTable(rows: readonly RepairRow[], word: string) {
  const compared = casesOf(rows).filter(hasReference);
  if (compared.length === 0) return '';
  const groups = KINDS.map((kind): [string, Methods[]] => [
    kind,
    compared.filter((methods) => methods.lcrp.kind === kind),
  ]);
  const all: [string, Methods[]] = ['all', compared];
  const lines = [...groups, all]
    .filter(([, cases]) => cases.length > 0)
    .map(([kind, cases]) => [
      kind,
      cases.length,
      degradation(cases, 'right-shift'),
      degradation(cases, 'lcrp'),
      degradation(cases, 'recompute'),
      ...['affected', 'dispatch', 'lcrp'].map((method) => share(cases, method)),
      relativeShare(cases, 'lcrp'),
      share(cases, STABLE),
      changesOf(cases, 'lcrp'),
      changesOf(cases, STABLE),
      cases.filter(isWorse).length,
      ranIn(cases),
    ]);
  const heads =
    'cases,right-shift,lcrp,recompute,affected,dispatch,lcrp,lcrp (relative),high-stability,rank changes,high-stability,worse,ran';
  return section(`Objective ${word}: the gap to recompute that is closed`, [
    table(['', ...heads.split(',')], lines),
  ]);
}

/** Loss and deviation by the price of a changed place, over all kinds. */
function frontTable(rows: readonly RepairRow[], word: string) {
  const cases = casesOf(rows).filter(hasReference);
  if (cases.length === 0) return '';
  const names = Object.keys(cases[0]).filter((name) => !name.includes('early'));
  const points = names
    .map((method) => ({
      method,
      loss: lossOf(cases, method),
      deviation: ratio(cases, method, 'rank_changes'),
    }))
    .sort((a, b) => a.deviation - b.deviation || b.loss - a.loss);
  const volume = (some: readonly Point[]) => hypervolume(some).toFixed(3);
  const isOurs = ({ method }: Point) => method === 'affected' || method.startsWith('lcrp');
  const others = points.filter((p) => !isOurs(p) && p.method !== 'recompute');
  return section(`Objective ${word}: loss against changed places`, [
    table(
      ['method', 'loss (right-shift 1, recompute 0)', 'rank changes (recompute 1)', ''],
      points.map((p) => [
        p.method,
        p.loss.toFixed(3),
        p.deviation.toFixed(3),
        points.some((q) => dominates(q, p)) ? 'dominated' : '',
      ]),
    ),
    '',
    `Hypervolume within the unit square: compensation and lcrp ${volume(points.filter(isOurs))}, the other fast methods ${volume(others)}.`,
  ]);
}

/** Loss and early starts by the price of an operation that starts earlier than planned. */
function earlyTable(rows: readonly RepairRow[], word: string) {
  const cases = casesOf(rows).filter(hasReference);
  if (cases.length === 0) return '';
  const names = Object.keys(cases[0]).filter((name) => name === 'lcrp' || name.includes('early'));
  if (names.length === 1) return '';
  return section(`Objective ${word}: loss against early starts`, [
    table(
      [
        'method',
        'loss (right-shift 1, recompute 0)',
        'earlier than planned',
        'rank changes (recompute 1)',
      ],
      [...names, 'recompute'].map((method) => [
        method,
        lossOf(cases, method).toFixed(3),
        mean(cases, (methods: Methods) => methods[method].wip_moves).toFixed(1),
        ratio(cases, method, 'rank_changes').toFixed(3),
      ]),
    ),
  ]);
}

/** Where right-shift loses nothing: what is gained on it. */
function gainTable(rows: readonly RepairRow[]) {
  const lines = groupsOf(rows)
    .filter(([, cases]) => !hasReference(cases[0]))
    .map(([label, cases]) => [
      label,
      cases.length,
      ...['affected', 'dispatch', 'lcrp', STABLE].map((method) => gainOf(cases, method)),
      mean(cases, (methods: Methods) => methods.lcrp.rank_changes).toFixed(1),
      cases.filter(isWorse).length,
      ranIn(cases),
    ]);
  if (lines.length === 0) return '';
  const heads = 'cases,affected,dispatch,lcrp,high-stability,rank changes,worse,ran';
  return section('Where right-shift loses nothing: what is gained on it', [
    table(['', ...heads.split(',')], lines),
  ]);
}

/** Milliseconds of warm repairs up to 2,000 operations. */
function timeTable(rows: readonly RepairRow[]) {
  const small = rows.filter(({ operations }) => operations <= 2000);
  const methods = ['right-shift', 'affected', 'dispatch', 'lcrp', STABLE];
  const lines = OBJECTIVES.flatMap(([objective, word]) =>
    methods.map((method) => {
      const some = small.filter((row) => row.method === method && row.objective === objective);
      return [
        `${method}, ${word}`,
        some.flatMap(({ ms }) => ms).length,
        ...[0.5, 0.99].map((share) => quantile(some, 'ms', share)),
        ...[0.5, 0.99].map((share) => quantile(some, 'cpu_ms', share)),
      ];
    }),
  ).filter(([, repairs]) => Number(repairs) > 0);
  return section('Milliseconds of a warm repair, to 2,000 operations', [
    table(['method', 'repairs', 'p50', 'p99', 'p50 of processor', 'p99 of processor'], lines),
  ]);
}

/** Cases by kind and objective. */
function groupsOf(rows: readonly RepairRow[]) {
  return OBJECTIVES.flatMap(([objective, word]) =>
    KINDS.map((kind): [string, Methods[]] => {
      const some = rows.filter((row) => row.kind === kind && row.objective === objective);
      return [`${kind}, ${word}`, casesOf(some)];
    }),
  ).filter(([, cases]) => cases.length > 0);
}

/** Of each case and seed one row by method; methods without chance have those of seed 0. */
function casesOf(rows: readonly RepairRow[]) {
  const groups = new Map<string, RepairRow[]>();
  for (const row of rows) {
    const key = `${row.name} ${row.kind} ${row.objective} ${row.replicate}`;
    const group = groups.get(key) ?? [];
    group.push(row);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((some) => {
    const seeds = new Set(some.map(({ seed }) => seed));
    return [...seeds].map((seed) => {
      const own = some.filter((row) => row.seed === 0 || row.seed === seed);
      own.sort((a, b) => a.seed - b.seed);
      return Object.fromEntries(own.map((row) => [row.method, row]));
    });
  });
}

function hasReference(methods: Methods) {
  return methods.recompute !== undefined;
}

/** Whether right-shift and recompute differ in more than a few places, or by more than a little. */
function isDifferent({ recompute, ...methods }: Methods) {
  const gap = methods['right-shift'].value - recompute.value;
  return recompute.rank_changes > 3 || gap > 0.002 * recompute.value;
}

function isWorse(methods: Methods) {
  return methods.lcrp.value > Math.min(methods.affected.value, methods.dispatch.value);
}

function ranIn(cases: readonly Methods[]) {
  return percent(mean(cases, ({ lcrp }) => (lcrp.evaluations > 0 ? 1 : 0)));
}

/** The share of the gap from right-shift to recompute that is closed: a ratio of means. */
function share(cases: readonly Methods[], method: string) {
  return shareText(shareOf(cases, method, () => 1));
}

/** The same of values relative to those of right-shift: large shops and small ones count alike. */
function relativeShare(cases: readonly Methods[], method: string) {
  return shareText(shareOf(cases, method, unitOf));
}

function shareOf(cases: readonly Methods[], method: string, unit: (methods: Methods) => number) {
  const some = cases.filter(hasReference);
  if (some.length === 0) return Number.NaN;
  const value = (name: string) =>
    mean(some, (methods: Methods) => methods[name].value / unit(methods));
  const worst = value('right-shift');
  return (worst - value(method)) / (worst - value('recompute'));
}

function shareText(number: number) {
  return Number.isFinite(number) ? number.toFixed(3) : '–';
}

function lossOf(cases: readonly Methods[], method: string) {
  return 1 - shareOf(cases, method, unitOf);
}

function unitOf(methods: Methods) {
  return Math.max(1, methods['right-shift'].value);
}

/** Rank changes in percent of the recompute's, where they are asked for. */
function changesOf(cases: readonly Methods[], method: string) {
  const asked = cases.filter((methods: Methods) => hasReference(methods) && isDifferent(methods));
  const number = ratio(asked, method, 'rank_changes');
  return Number.isFinite(number) ? percent(number) : '–';
}

function ratio(cases: readonly Methods[], method: string, key: FigureName) {
  const of = (name: string) => mean(cases, (methods: Methods) => methods[name][key]);
  return of(method) / of('recompute');
}

/** By how much the objective is worse than planned, as a ratio of means. */
function degradation(cases: readonly Methods[], method: string) {
  const planned = mean(cases, (methods: Methods) => methods[method].planned);
  return `${(100 * (mean(cases, (methods: Methods) => methods[method].value) / planned - 1)).toFixed(1)} %`;
}

/** By how much the objective is better than that of right-shift, as a ratio of means. */
function gainOf(cases: readonly Methods[], method: string) {
  const base = mean(cases, (methods: Methods) => methods['right-shift'].value);
  return `${(100 * (1 - mean(cases, (methods: Methods) => methods[method].value) / base)).toFixed(2)} %`;
}

function dominates(q: Point, p: Point) {
  const isNoWorse = q.loss <= p.loss && q.deviation <= p.deviation;
  return isNoWorse && (q.loss < p.loss || q.deviation < p.deviation);
}

function hypervolume(points: readonly Point[]) {
  let volume = 0;
  let level = 1;
  for (const { loss, deviation } of points.toSorted((a, b) => a.deviation - b.deviation)) {
    if (deviation >= 1 || loss >= level) continue;
    volume += (1 - deviation) * (level - Math.max(0, loss));
    level = Math.max(0, loss);
  }
  return volume;
}

function section(title: string, lines: readonly string[]) {
  return [`### ${title}`, '', ...lines, ''].join('\n');
}

function table(heads: readonly string[], lines: readonly (readonly Cell[])[]) {
  const row = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  return [row(heads), row(heads.map((_, i) => (i === 0 ? '---' : '---:'))), ...lines.map(row)].join(
    '\n',
  );
}

function mean(cases: readonly Methods[], measure: (methods: Methods) => number) {
  return cases.reduce((sum, one) => sum + measure(one), 0) / cases.length;
}

function percent(share: number) {
  return `${Math.round(100 * share)} %`;
}

function quantile(rows: readonly RepairRow[], key: 'ms' | 'cpu_ms', share: number) {
  const sorted = rows.flatMap((row) => row[key]).sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted.length === 0 ? '' : sorted[at].toFixed(2);
}
