// docs/reference/conformance.md, made of what was measured.
import { readFileSync } from 'node:fs';
import { cases, features } from './cases/index.js';
import { columns } from './columns.js';
import type { EngineInfo } from './engine.js';
import type { MeasuredCell } from './matrix.js';

/** What was measured on an engine. */
interface MeasuredEngine {
  info: EngineInfo;
  cells: Record<string, MeasuredCell>;
  controls: { name: string; found?: string | undefined }[];
}

export interface Measured {
  engines: Record<string, MeasuredEngine>;
  /** Lines about the random workflows. */
  campaign?: string[];
}

/** What was measured on each engine when it was last there. */
export const MEASURED = new URL(
  '../../../../results/reference/conformance/measured.json',
  import.meta.url,
);

export const DOCUMENT = new URL('../../../../docs/reference/conformance.md', import.meta.url);

const FAILED: MeasuredCell = { outcome: 'failed' };
const RANKS = ['same', 'static-only', 'divergent', 'unsupported', 'failed'];
const LEVELS = ['native', 'emulated', 'static-only', 'unsupported'];

/** The cell of a feature: how it is said, how many of its cases are as they must be, and what is not. */
function cellOf(
  measured: MeasuredEngine | undefined,
  feature: string,
  notes: (title: string, because: string) => number,
) {
  if (measured === undefined) return 'skipped';
  const all = cases.filter((one) => one.feature === feature);
  const cells = all.map(({ title }) => measured.cells[title] ?? FAILED);
  const same = cells.filter(({ outcome }) => outcome === 'same').length;
  const executed = cells.filter(({ outcome }) => outcome !== 'unsupported');
  const level = LEVELS[Math.max(0, ...executed.map((cell) => LEVELS.indexOf(cell.level ?? '')))];
  const worst = RANKS[Math.max(...cells.map(({ outcome }) => RANKS.indexOf(outcome)))];
  const marks = cells.flatMap(({ because }, k) => (because ? [notes(all[k].title, because)] : []));
  const marked = marks.length === 0 ? '' : ` ${marks.map((mark) => `[${mark}]`).join(' ')}`;
  if (worst === 'failed') return '**failed**';
  if (worst === 'static-only') return `static-only, ${cells.length}/${cells.length} linted`;
  if (worst === 'unsupported' && executed.length === 0) return `unsupported${marked}`;
  const extra = worst === 'same' ? '' : `, ${worst}`;
  if (executed.every(({ outcome }) => outcome === 'static-only')) {
    return `static-only, ${executed.length}/${cells.length} linted, unsupported${marked}`;
  }
  return `${level} ${same}/${cells.length}${extra}${marked}`;
}

/** The document. */
export function documentOf(measured: Measured) {
  const noted: string[] = [];
  const rows = features.map((feature) => {
    const cells = columns.map(({ name, title: column }) =>
      cellOf(measured.engines[name], feature, (title, because) => {
        noted.push(`| ${noted.length + 1} | ${column} | ${title} | ${because} |`);
        return noted.length;
      }),
    );
    return `| ${feature} | ${cells.join(' | ')} |`;
  });
  const head = columns.map(({ title }) => title);
  return [
    readFileSync(
      new URL('../../src/conformance/document-head.md', import.meta.url),
      'utf8',
    ).trimEnd(),
    '',
    `| Feature | ${head.join(' | ')} |`,
    `| --- |${' --- |'.repeat(head.length)}`,
    ...rows,
    '',
    ...(noted.length === 0
      ? []
      : ['| | Engine | Case | Why |', '| --- | --- | --- | --- |', ...noted, '']),
    '## Engines',
    '',
    '| Column | Engine | Version | Patches (SHA-256) |',
    '| --- | --- | --- | --- |',
    ...columns.map(({ name, title }) => engineRow(title, measured.engines[name])),
    '',
    '## Negative controls',
    '',
    'Each of these was done on purpose, and the matrix found it.',
    '',
    '| Control | Engine | What was found |',
    '| --- | --- | --- |',
    ...columns.flatMap(({ name, title }) => controlRows(title, measured.engines[name])),
    '',
    ...howRows(measured),
    '## Cases',
    '',
    '| Feature | Case |',
    '| --- | --- |',
    ...cases.map(({ feature, title }) => `| ${feature} | ${title} |`),
    '',
    ...campaignOf(measured.campaign),
  ].join('\n');
}

function engineRow(title: string, measured: MeasuredEngine | undefined) {
  if (measured === undefined) return `| ${title} | skipped: it was not installed | – | – |`;
  const { name, version, patches = [] } = measured.info;
  const hashes = patches.map(({ file, sha256 }) => `\`${file}\` ${sha256.slice(0, 16)}`);
  return `| ${title} | ${name} | ${version} | ${hashes.join(', ') || 'none'} |`;
}

function controlRows(title: string, measured: MeasuredEngine | undefined) {
  return (measured?.controls ?? []).map(
    ({ name, found }) => `| ${name} | ${title} | ${found === undefined ? '**nothing**' : found} |`,
  );
}

/** How what is not native is emulated, once for each engine and feature. */
function howRows(measured: Measured) {
  const rows = columns.flatMap(({ name, title }) =>
    features.flatMap((feature) => {
      const all = cases.filter((one) => one.feature === feature);
      const hows = all.flatMap((one) => {
        const { level, how = [] } = measured.engines[name]?.cells[one.title] ?? FAILED;
        return level === 'emulated' ? how : [];
      });
      const unique = [...new Set(hows)];
      return unique.length === 0 ? [] : [`| ${title} | ${feature} | ${unique.join('; ')} |`];
    }),
  );
  if (rows.length === 0) return [];
  const head = ['| Engine | Feature | How |', '| --- | --- | --- |'];
  return ['## What is emulated', '', ...head, ...rows, ''];
}

function campaignOf(campaign: readonly string[] | undefined) {
  if (campaign === undefined) return [];
  return ['## Random workflows', '', ...campaign.map((line) => `- ${line}`), ''];
}
