import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SITE } from './places.mjs';

/** The first page: its text is in `home/index.md`, its commands and their output are those of README.md. */
export function homePage({ hasPlayground, picture }) {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const parts = {
    commands: `\`\`\`sh\n${commandsOf(readme)}\n\`\`\``,
    output: `\`\`\`txt\n${outputOf(readme)}\n\`\`\``,
    picture: `${picture.svg}\n<figcaption>${caption(picture.facts)}</figcaption>`,
    'playground-button': hasPlayground
      ? '<a class="button strong" href="./playground/" target="_self">Break a machine in the playground</a>'
      : '<a class="button strong" href="./docs/start/evaluate.html">Five minutes to start</a>',
  };
  return readFileSync(join(SITE, 'home', 'index.md'), 'utf8').replaceAll(
    /<!-- ([a-z-]+) -->/g,
    (_, name) => parts[name],
  );
}

/** The two commands at the top of README.md: its first indented block. */
function commandsOf(readme) {
  const [block] = /(?:^ {4}.+\n)+/m.exec(readme) ?? [];
  if (block === undefined) throw new Error('README.md has no indented block with its commands');
  return block.replaceAll(/^ {4}/gm, '').trim();
}

/** The first command of README.md with what it printed. */
function outputOf(readme) {
  const [, block] = /^```\n(\$ [\s\S]*?)\n```/m.exec(readme) ?? [];
  if (block === undefined) throw new Error('README.md has no block that starts with "$ "');
  return block;
}

function caption({ instance, machine, from, until, edits, operations, before, after, shifted }) {
  const outcome =
    after === before
      ? `the makespan stays ${after}`
      : `the makespan goes from ${before} to ${after}`;
  return (
    `Computed by the engine: in ${instance}, machine ${machine} is down from ${from} to ${until}. The repair moves ` +
    `${edits} of ${operations} operations (outlines show their old places), and ${outcome}; waiting alone would make it ${shifted}.`
  );
}
