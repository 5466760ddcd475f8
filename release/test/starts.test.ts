import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Ended, runProgram, shell, workFolder } from './project.js';

const starts = join(inject('project'), 'node_modules/alas-jssp/docs/start');

/** A block of code of a document. */
interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(starts, document), 'utf8');
  return [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, block]) => ({
    language,
    text: block,
  }));
}

/** The command lines of a block, continued lines put together. */
const linesOf = (text: string) =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, ''))
    .filter((line) => line !== '');

/** What the tests did before, from tarballs: cloning, installing. */
const isInstallation = (line: string) => /^(git clone|npm install) /.test(line);

/** Does what a page says, in its order: runs its commands, and saves and runs its programs. Returns what was run. */
function follow(document: string): { cwd: string; ran: Map<string, Ended> } {
  const cwd = workFolder();
  // A reader's project has its node_modules.
  const home = '../node_modules';
  const ran = new Map<string, Ended>();
  for (const { language, text } of blocksOf(document)) {
    if (language === 'sh')
      for (const line of linesOf(text).filter((one) => !isInstallation(one)))
        ran.set(line, shell(line.replace(/ node_modules\//, ` ${home}/`), cwd));
    if (language === 'js') ran.set('js', runProgram(text, cwd, PROGRAMS[document]));
    if (language === 'console')
      for (const [, line] of text.matchAll(/^\$ (.*)/gm)) ran.set(line, shell(line, cwd));
  }
  return { cwd, ran };
}

/** The names under which the pages say to save their programs. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'embed.md': 'first.mjs',
  'workflows.md': 'trip.mjs',
};

describe.each(['embed.md', 'evaluate.md', 'workflows.md'])('the start page %s', (document) => {
  let ran: Map<string, Ended>;
  beforeAll(() => {
    ({ ran } = follow(document));
  });

  it('has commands and programs that end well', () => {
    expect(ran.size).toBeGreaterThan(0);
    for (const [line, { code, stderr }] of ran) expect(code, `${line}: ${stderr}`).toBe(0);
  });

  it('shows what they print', () => {
    const blocks = blocksOf(document);
    if (document === 'evaluate.md') {
      // Without a terminal a run prints its records as CSV: one for each row of the table and instance.
      const [line = ''] = [...ran.keys()].filter((one) => one.includes('--out results/first'));
      const table = blocks.find(({ language }) => language === 'text')?.text ?? '';
      const rows = [...table.matchAll(/^ft {2,}(\S+) +(\d+) /gm)];
      expect(rows.length).toBe(3);
      for (const [, planner, runs] of rows) {
        const records = ran
          .get(line)
          ?.stdout.split('\n')
          .filter((one) => one.includes(`,${planner},`));
        expect(records?.filter((one) => one.includes(',ok,true,'))).toHaveLength(Number(runs));
      }
      return;
    }
    const [shown] = blocks.filter(({ language }) => language === 'text' || language === 'console');
    if (document === 'embed.md') expect(ran.get('js')?.stdout).toBe(shown.text);
    else
      for (const [, line, printed] of shown.text.matchAll(/^\$ (.*)\n(.*\n)/gm))
        expect(ran.get(line)?.stdout, line).toBe(printed);
  });
});
