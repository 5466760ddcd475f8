import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLeaderboardEntry, standingsOf } from '../../dist/harness/leaderboard/standings.js';
import { formatMoney, formatSeconds, plain } from './facts.mjs';
import { REPOSITORY, ROOT } from './places.mjs';

/** The folder of reference results, with a run a part. */
const RESULTS = 'results/reference/leaderboard';
/** The folder of entries: of those runs, and of submissions. */
export const ENTRIES = `${RESULTS}/entries`;

/** The runs of the reference results: planners that ran here, and recorded answers of models. */
export function referenceRuns() {
  const runsIn = (folder) =>
    readdirSync(join(ROOT, folder))
      .map((name) => `${folder}/${name}`)
      .filter((run) => existsSync(join(ROOT, run, 'records.jsonl')));
  return { planners: runsIn(RESULTS), models: runsIn(`${RESULTS}/models`) };
}

/** All entries with their files, relative to the checkout. */
export function leaderboardEntries() {
  return readdirSync(join(ROOT, ENTRIES), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${ENTRIES}/${name.replaceAll('\\', '/')}`)
    .sort()
    .map((file) => ({ file, entry: readLeaderboardEntry(join(ROOT, file)) }));
}

/**
 * The page of the leaderboard, made of its entries. Entries come from strangers: all their texts are shown as texts.
 *
 * @param entries the entries with their files
 */
export function leaderboardPage(entries) {
  const { instances, same, other } = byInstances(entries);
  return `---
title: Leaderboard
description: Planners on fourteen classic job shops, recorded answers of language models, and entries that others submit.
editLink: false
lastUpdated: false
aside: false
pageClass: leaderboard
---

# Leaderboard

Planners by the schedules that they find. The gap is to the best known makespan; *proven* counts schedules whose makespan
equals a lower bound. *Judged*: the validator accepted every schedule for that very instance when the entry was made. *Not
kept*: the records were checked against the instances and the known bounds, and no schedule was judged again.
[How it is measured](./docs/reference/protocol.md) ·
[add your planner](./docs/how-to/leaderboard.md) ·
all records, with charts and tests: [of planners](./report/index.html){target="_self"},
[of recorded answers](./report/models.html){target="_self"}

## On the same instances

${instances.length} instances of all suites: ${instances.join(', ')}. Rows may differ in threads, time and machine: see
[the entries](#entries).

${standingsTable('Planners on the same instances', same)}

## On other instances

${otherText(other)}

## Entries

What each entry says of itself; [the data](${REPOSITORY}/tree/main/${ENTRIES}) has the result of every run. A dash is
something that the entry does not say.

${entryTable(entries)}
`;
}

/** Entries on the instances that most of them have, which can be compared, and the others. */
function byInstances(entries) {
  const namesOf = ({ entry }) => [...new Set(entry.results.map(({ instance }) => instance))];
  const key = (one) => namesOf(one).sort().join();
  const counts = new Map();
  for (const one of entries) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  const [most] = [...counts].sort(([a, some], [b, more]) => more - some || b.length - a.length)[0];
  const same = entries.filter((one) => key(one) === most);
  return { instances: namesOf(same[0]), same, other: entries.filter((one) => key(one) !== most) };
}

function otherText(entries) {
  if (entries.length === 0) return 'There are no entries on other instances.';
  return `Each row is on instances of its own, so that gaps are to be compared with care. The planners of recorded answers
are language models and agents whose texts other people recorded; [the recipe](./docs/how-to/leaderboard.md#recorded-answers)
says where they are from. Their gap is that of the repaired schedule: *valid before repair* counts the plans that the
validator accepted as they were answered.

${standingsTable('Planners on other instances', entries, true)}`;
}

/** A row for each planner of the entries, best first. */
function standingsTable(label, entries, mixed = false) {
  const rows = entries
    .flatMap(({ entry, file }) => standingsOf([entry]).map((row) => ({ ...row, entry, file })))
    .sort((one, other) => gapOf(one) - gapOf(other));
  const widest = Math.max(...rows.map(gapOf).filter(Number.isFinite), 1);
  const columns = [
    ['rank', (_, index) => String(index + 1)],
    ['planner', plannerCell],
    ['gap %', (row) => gapCell(row, widest)],
    ...(mixed ? [] : [['geo gap %', ({ geometric_gap_percent: gap }) => decimals(gap, 2)]]),
    ['valid %', ({ success_percent: share }) => decimals(share, 1)],
    ...(mixed ? [['valid before repair', beforeRepair]] : []),
    ...(mixed
      ? [['instances', ({ instances }) => String(instances)]]
      : [['proven', ({ proven_optimal: count }) => String(count)]]),
    ['runs', ({ results }) => String(results)],
    ['mean time', ({ seconds_mean: seconds }) => formatSeconds(seconds)],
    ['schedules', ({ schedules }) => (schedules === 'judged' ? 'judged' : 'not kept')],
  ];
  return table(label, columns, rows);
}

const gapOf = ({ gap_percent: gap }) => gap ?? Number.POSITIVE_INFINITY;

/** Its name, which leads to its entry, and who submitted it. */
function plannerCell({ planner, variant, by, entry, file }) {
  const name = variant === 'full' ? planner : `${planner} (${variant})`;
  const stages = [
    entry.repair ? 'repaired' : '',
    entry.optimize ? `+ ${entry.optimize} search` : '',
  ];
  const note = [by === null ? '' : `by ${by}`, ...stages].filter((text) => text !== '').join(' ');
  const link = `<a href="#${anchorOf(file)}"><code>${plain(name)}</code></a>`;
  return note === '' ? link : `${link} <small>${plain(note)}</small>`;
}

/** A gap with a bar as long as it is. */
function gapCell(row, widest) {
  const { gap_percent: gap } = row;
  if (gap === null) return '–';
  const share = Math.min(100, Math.max(0, (100 * gap) / widest)).toFixed(1);
  return `<span class="gap" style="--share: ${share}%">${gap.toFixed(2)}</span>`;
}

function beforeRepair({ feasible_before_repair: count, results }) {
  return count === null ? '–' : `${count} of ${results}`;
}

function decimals(value, digits) {
  return value === null ? '–' : value.toFixed(digits);
}

/** A row for each entry with what it says of its run. */
function entryTable(entries) {
  const columns = [
    ['entry', ({ file, entry }) => entryCell(file, entry)],
    ['by', ({ entry }) => byCell(entry)],
    ['date', ({ entry }) => plain(entry.date.slice(0, 10))],
    ['threads', ({ entry }) => String(entry.threads)],
    ['limit', ({ entry: { time_limit_seconds: limit } }) => (limit === null ? '–' : `${limit} s`)],
    ['tokens', ({ entry }) => tokensCell(entry)],
    ['cost', ({ entry }) => costCell(entry)],
    ['machine', ({ entry: { machine } }) => plain(`${machine.model}, ${machine.cpus} cores`)],
    ['version', ({ entry }) => plain(entry.version)],
  ];
  return table('Entries', columns, entries);
}

/** Its file and its command, opened on demand. */
function entryCell(file, entry) {
  const source = `${REPOSITORY}/blob/main/${encodeURI(file)}`;
  const name = `<a id="${anchorOf(file)}" href="${source}">${plain(nameOf(file))}</a>`;
  if (entry.command === null) return name;
  return `${name}<details><summary>command</summary><code>${plain(entry.command)}</code></details>`;
}

/** The submitter with his links; only addresses of the web become links. */
function byCell({ by, links }) {
  const name = by === null ? 'the project' : plain(by);
  const good = links.filter((link) => URL.canParse(link) && new URL(link).protocol === 'https:');
  const marks = good.map(
    (link, index) =>
      `<a rel="nofollow ugc" href="${plain(new URL(link).href)}">link ${index + 1}</a>`,
  );
  return [name, ...marks].join(' ');
}

/** The tokens that models used in the run: recorded answers do not say what they took. */
function tokensCell({ tokens: { input, output, estimated } }) {
  const total = input + output;
  return total === 0 ? '–' : `${estimated ? '≈ ' : ''}${total}`;
}

function costCell({ cost_usd: cost, tokens: { input, output } }) {
  return cost === null || input + output === 0 ? '–' : formatMoney(cost);
}

const nameOf = (file) => file.slice(ENTRIES.length + 1).replace(/\.json$/, '');
const anchorOf = (file) => `entry-${nameOf(file).replaceAll(/[^\w-]/g, '-')}`;

/** A table whose columns hold HTML; on a phone it scrolls by itself. */
function table(label, columns, rows) {
  const head = columns.map(([name]) => `<th scope="col"${kindOf(name)}>${name}</th>`).join('');
  const body = rows.map((row, index) => {
    const cells = columns.map(([name, cell]) => `<td${kindOf(name)}>${cell(row, index)}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return [
    `<div class="board" v-pre tabindex="0" role="region" aria-label="${label}">`,
    `<table><thead><tr>${head}</tr></thead><tbody>`,
    ...body,
    '</tbody></table></div>',
  ].join('\n');
}

/** Texts are left-aligned, numbers are not. */
function kindOf(column) {
  return ['planner', 'schedules', 'entry', 'by', 'machine', 'version'].includes(column)
    ? ' class="text"'
    : '';
}
