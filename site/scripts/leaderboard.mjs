import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, ROOT } from './places.mjs';

/** The folder of reference results, and the parts of it that ran on the same instances. */
const RESULTS = 'results/reference/leaderboard';

/** The runs of the reference results: planners that ran here, and recorded answers of models. */
export function referenceRuns() {
  const runsIn = (folder) =>
    readdirSync(join(ROOT, folder))
      .map((name) => `${folder}/${name}`)
      .filter((run) => existsSync(join(ROOT, run, 'records.jsonl')));
  return { planners: runsIn(RESULTS), models: runsIn(`${RESULTS}/models`) };
}

/** The page with the table of all planners, made of the records of their runs. */
export function leaderboardPage() {
  const { planners, models } = referenceRuns();
  return `---
title: Leaderboard
description: Planners on fourteen classic job shops, each schedule judged by the validator, and recorded answers of language models.
editLink: false
lastUpdated: false
---

# Leaderboard

Every schedule behind these numbers was accepted by the validator for that very instance. The gap is to the best known
makespan; *proven* counts schedules whose makespan equals a lower bound. [What is measured, and how](./docs/reference/protocol.md).

[All records on a page, with charts and tests](./report/index.html){target="_self"} ·
[the data](${REPOSITORY}/tree/main/${RESULTS})

## Planners

Fourteen instances of all suites (ft06, ft10, ft20, abz5–abz9, la38, orb01, swv06, yn1, ta21, dmu41), one thread. The
time is the mean of a run.

${plannerTable(summaryOf(planners))}

## Recorded answers of models

Answers that other people recorded, on their instances, which differ from row to row: compare with care. *Valid as
answered* counts the plans that the validator accepted before any repair. The gap is that of the schedules after repair
by the protocol.

${modelTable(models)}
`;
}

/** One row for each planner over all its instances, best first. */
function summaryOf(runs) {
  const command = [
    'bin/alas-jssp.js',
    'report',
    ...runs,
    '--table',
    'summary',
    '--json',
    '--quiet',
  ];
  const text = execFileSync(process.execPath, command, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(text).overall.toSorted((one, other) => one.gap_percent - other.gap_percent);
}

/** Plans of a run that were valid as they were answered, before any repair. */
function validAsAnswered(run) {
  const lines = readFileSync(join(ROOT, run, 'records.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.filter((line) => JSON.parse(line).stages.plan?.feasible === true).length;
}

function plannerTable(rows) {
  return table(
    ['', 'planner', 'gap %', 'geo gap %', 'success %', 'proven', 'runs', 'mean time'],
    rows.map((row, index) => [
      String(index + 1),
      `\`${row.planner}\``,
      row.gap_percent.toFixed(2),
      row.geometric_gap_percent.toFixed(2),
      row.success_percent.toFixed(1),
      String(row.proven_optimal),
      String(row.records),
      formatSeconds(row.seconds_mean),
    ]),
  );
}

function modelTable(runs) {
  const rows = runs.map((run) => ({ ...summaryOf([run])[0], valid: validAsAnswered(run) }));
  rows.sort((one, other) => one.gap_percent - other.gap_percent);
  return table(
    [
      '',
      'agents and model',
      'gap after repair %',
      'answers',
      'valid as answered',
      'valid after repair',
    ],
    rows.map((row, index) => [
      String(index + 1),
      `\`${row.planner}\``,
      row.gap_percent.toFixed(2),
      String(row.records),
      String(row.valid),
      String(row.feasible),
    ]),
  );
}

/** A Markdown table whose columns after the second are numbers. */
function table(headings, rows) {
  const marks = headings.map((_, index) => (index === 1 ? '---' : '---:'));
  return [headings, marks, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatSeconds(seconds) {
  return seconds < 1 ? `${(1000 * seconds).toFixed(0)} ms` : `${seconds.toFixed(1)} s`;
}
