import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';

/** Folders and files that are written in plain words. The list grows folder by folder until it holds all. */
const PLAIN: readonly string[] = [
  'src/cli',
  'src/harness',
  'src/report',
  'src/llm/admission',
  'src/llm/clients',
  'src/llm/decoding',
  'src/pipeline/blueprint',
  'src/pipeline/handlers',
  'src/pipeline/planners',
  'packages/core/src',
  'packages/core/test',
  'src/index.ts',
  'README.md',
  'docs/README.md',
  'docs/limits.md',
  'docs/start',
  'src/jssp',
  'test/jssp',
  'src/pipeline/shop',
  'test/pipeline/shop',
  'packages/service/src',
  'packages/service/test',
  'src/lcrp',
  'test/lcrp',
  'src/disruption',
  'src/validator',
  'test/validator',
  'packages/agents/src/tools',
  'packages/agents/test/tools',
  'packages/workflow/src',
  'packages/workflow/test',
  'packages/convert/src',
  'packages/living-plan/src',
  'packages/changeset/src',
  'packages/convert/test',
  'packages/changeset/test',
  'src/search',
  'test/search',
  'packages/temporal/src',
  'packages/temporal/test',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'packages/coordination/README.md',
  'packages/lab/README.md',
  'packages/living-plan/README.md',
  'packages/service/README.md',
  'packages/temporal/README.md',
  'docs/how-to/agents.md',
  'docs/how-to/attribution.md',
  'docs/how-to/changeset.md',
  'docs/how-to/charts.md',
  'docs/how-to/ci.md',
  'docs/how-to/convert.md',
  'docs/how-to/embedding.md',
  'docs/how-to/llm.md',
  'docs/how-to/mcp.md',
  'docs/how-to/page.md',
  'docs/how-to/serve.md',
  'docs/how-to/shop-data.md',
  'docs/how-to/shop.md',
  'docs/how-to/temporal.md',
  'docs/reference/cli.md',
  'docs/reference/disruption.md',
  'docs/reference/formats.md',
  'docs/reference/glossary.md',
  'docs/reference/log.md',
  'docs/reference/performance.md',
  'docs/reference/planners.md',
  'docs/reference/protocol.md',
  'docs/reference/repair.md',
  'docs/reference/saga.md',
  'docs/reference/search.md',
  'docs/reference/statistics.md',
  'docs/reference/tools.md',
  'docs/reference/validator.md',
  'docs/reference/workflow.md',
  'docs/design/architecture.md',
  'docs/design/lab.md',
  'docs/design/lcrp.md',
  'docs/design/papers.md',
];

/** Words and phrases of the dialect that the vocabulary replaces, in names, comments, messages and test titles. */
const FORBIDDEN: readonly RegExp[] = [
  /\b(?:tell|tells|told|telling|untold)\b/i,
  /(?:^|[^A-Za-z])(?:tell|tells|told|Tell|Told|Teller)(?=[A-Z_])|[a-z](?:Tell|Tells|Told|Teller)(?![a-z])/,
  /\banew\b|\bonce more\b/i,
  /\b(?:somebody|nobody|whoever|anybody)\b/i,
  /\b(?:go|goes|going|gone) on with\b|\bgo(?:es)? on (?:from|where|after)\b/i,
  /\bunder way\b/i,
  /\bwhat (?:becomes|became|came|comes) of\b/i,
  /\b(?:is|are|was|were|be) taken for\b|\bis believed\b/i,
  /\bstands? (?:in|beside|there|for itself|as it is)\b/i,
  /\btake[ns]? back\b|\btakes? down\b/i,
  /\bby the way of\b|\bthe way of an? \w+/i,
  /\b(?:cure|cures|mended|mends|mending)\b/i,
  /\b(?:that|what) (?:it|there) has to be\b|\b(?:is|are) to be\b/i,
  /\bhappenings?\b/i,
];

/** Uses that are right: a file and the word in it, with the reason. */
const EXCEPTIONS: ReadonlyMap<string, RegExp> = new Map([
  // The titles of engine tests that it links to.
  ['docs/design/papers.md', /\.test\.ts "[^"]*"/g],
  // The name of a test file.
  ['docs/reference/saga.md', /the-end-tells-the-truth/],
  // The word that models answer, a part of recorded prompts.
  ['src/harness/run/estimate-demand.ts', /'nobody'/],
]);

/** The text files below a folder or file. */
function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs|md|css|html)$/.test(file) && !file.includes('fixtures'))
    .filter((file) => !file.includes('node_modules') && !file.includes('dist'))
    .map((file) => join(path, file).replaceAll('\\', '/'));
}

/** The places of a text with a word that the vocabulary replaces, as `line: text`. */
function findDialect(file: string, text: string): string[] {
  const exception = EXCEPTIONS.get(file);
  return text
    .split('\n')
    .flatMap((line, index) =>
      FORBIDDEN.some((word) => word.test(exception ? line.replace(exception, '') : line))
        ? [`${file}:${index + 1}: ${line.trim().slice(0, 140)}`]
        : [],
    );
}

test('words of the dialect are found in comments, names and messages', () => {
  for (const line of [
    '// is told of it',
    'const tellOnce = 1;',
    'type ToldCommand = 1;',
    '`made anew`',
  ]) {
    expect(findDialect('a.ts', line)).toHaveLength(1);
  }
  expect(findDialect('a.ts', 'const storyteller = intellect; // extolled')).toEqual([]);
});

it.each(PLAIN)('%s is written in plain words', (path) => {
  expect(filesOf(path).flatMap((file) => findDialect(file, readFileSync(file, 'utf8')))).toEqual(
    [],
  );
});
