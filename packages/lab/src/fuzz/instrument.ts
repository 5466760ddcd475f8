// The targets in one module, in which the sources of this repository count which of their branches run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';
import { COUNTERS, MOST_BRANCHES } from './instrument-names.js';

const OURS = /[\\/](?:src|packages[\\/](?!lab)[\w-]+[\\/]src)[\\/].*\.ts$/;

/** What the bundle consists of. */
export interface InstrumentedBundle {
  readonly branches: number;
  /** Texts that the code compares with or looks for. */
  readonly words: readonly string[];
}

/** Bundles a module with counters in it. Packages of others are imported from where they are, without counters. */
export async function bundleInstrumented(
  entry: string,
  outfile: string,
): Promise<InstrumentedBundle> {
  const counted = { branches: 0, words: new Set<string>() };
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['alas-source'],
    logLevel: 'error',
    plugins: [keepForeign, countBranches(counted)],
  });
  return { branches: counted.branches, words: [...counted.words] };
}

const keepForeign: Plugin = {
  name: 'keep-foreign',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      // The service finds its threads from where it is.
      const isOurs = /^(?:@alas-jssp\/(?!service)|alas-jssp)/.test(path);
      if (isOurs || path.startsWith('/')) return undefined;
      return { path, external: true };
    });
  },
};

function countBranches(counted: { branches: number; words: Set<string> }): Plugin {
  return {
    name: 'count-branches',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!OURS.test(path)) return undefined;
        const source = readFileSync(path, 'utf8');
        const { code } = await transform(source, { loader: 'ts', target: 'es2023' });
        return { contents: withCounters(path, code, counted), loader: 'js' };
      });
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text to be put into code. */
interface Insertion {
  readonly at: number;
  readonly text: string;
  /** At the same place, what encloses more comes first. */
  readonly order: number;
}

function withCounters(
  path: string,
  code: string,
  counted: { branches: number; words: Set<string> },
) {
  const { program } = parseSync(join(path, 'x.js'), code, { lang: 'js', sourceType: 'module' });
  const insertions: Insertion[] = [];
  const count = () => `${COUNTERS}[${counted.branches++ % MOST_BRANCHES}]++`;
  const inBlock = ({ start }: Span) =>
    insertions.push({ at: start + 1, text: `${count()};`, order: 0 });
  const around = ({ start, end }: Span) => {
    insertions.push({ at: start, text: `(${count()},`, order: start - end });
    insertions.push({ at: end, text: ')', order: end - start - 2 ** 30 });
  };
  const ofStatement = (node: (Span & { readonly type: string }) | null) => {
    if (node === null) return;
    if (node.type === 'BlockStatement') return;
    insertions.push({ at: node.start, text: `{${count()};`, order: node.start - node.end });
    insertions.push({ at: node.end, text: '}', order: node.end - node.start - 2 ** 30 });
  };
  new Visitor({
    BlockStatement: inBlock,
    IfStatement: ({ consequent, alternate }) => {
      ofStatement(consequent);
      if (alternate?.type !== 'IfStatement') ofStatement(alternate);
    },
    ForStatement: ({ body }) => ofStatement(body),
    ForOfStatement: ({ body }) => ofStatement(body),
    ForInStatement: ({ body }) => ofStatement(body),
    WhileStatement: ({ body }) => ofStatement(body),
    ArrowFunctionExpression: ({ body }) => {
      if (body.type !== 'BlockStatement') around(body);
    },
    ConditionalExpression: ({ consequent, alternate }) => {
      around(consequent);
      around(alternate);
    },
    LogicalExpression: ({ right }) => around(right),
    SwitchCase: ({ consequent }) => {
      const [first] = consequent;
      if (first !== undefined)
        insertions.push({ at: first.start, text: `${count()};`, order: -(2 ** 29) });
    },
    Literal: ({ value }) => {
      if (typeof value === 'string' && value.length > 1 && value.length < 30)
        counted.words.add(value);
    },
  }).visit(program);
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  let from = 0;
  let result = '';
  for (const { at, text } of insertions) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}
