import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { sha256 } from '@alas-jssp/core/sha256';
import { PURPOSES } from './templates.js';

/** The placeholders of a template. */
const PLACES = ['role', 'agent', 'shop', 'earlier', 'task', 'answer'] as const;

/** A user's template for the prompts to a model. */
export interface PromptTemplate {
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** The system message. */
  readonly system: string;
  /** The user message by purpose, and the one for all other purposes. */
  readonly users: Readonly<Record<string, string>>;
  readonly user: string;
}

const HEADING = /^===[ \t]*(system|user)(?:[ \t]+(\S+))?[ \t]*$/;

/**
 * Reads a template: sections that begin with the lines `=== system`, `=== user` and, for prompts of one purpose, `===
 * user PURPOSE`. Lines before the first section that begin with `#` are comments. Placeholders such as `{{shop}}` in
 * the sections are listed in {@link PLACES}.
 *
 * @param path for error messages
 * @throws InputError `bad_template` naming the line
 */
export function parsePromptFile(bytes: Uint8Array, path: string): PromptTemplate {
  const lines = Buffer.from(bytes).toString('utf8').split(/\r?\n/);
  const sections = new Map<string, string[]>();
  let section: string[] | undefined;
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const [, kind, purpose] = HEADING.exec(text) ?? [];
    if (kind !== undefined) {
      const name = headingOf(kind, purpose, { file: path, line });
      if (sections.has(name))
        throw bad(`'=== ${name}' stands here twice`, 'write it once', path, line);
      section = [];
      sections.set(name, section);
    } else if (section !== undefined) {
      checkPlaces(text, path, line);
      section.push(text);
    } else if (text.trim() !== '' && !text.startsWith('#')) {
      throw bad(
        'this is in no section',
        "begin with a line '=== system' or '=== user'",
        path,
        line,
      );
    }
  }
  const texts = [...sections].map(([name, own]) => [name, own.join('\n').trim()] as const);
  return templateOf(new Map(texts), sha256(bytes), path);
}

function templateOf(texts: ReadonlyMap<string, string>, sum: string, path: string): PromptTemplate {
  const {
    user,
    system = '{{role}}',
    ...rest
  } = Object.fromEntries(texts) as {
    readonly user?: string;
    readonly system?: string;
  };
  if (user === undefined) throw bad('there is no section for questions', "add '=== user'", path);
  const users = Object.entries(rest as Record<string, string>).map(
    ([name, text]) => [name.replace('user ', ''), text] as const,
  );
  for (const [name, text] of [['', user], ...users]) {
    if (`${system}${text}`.includes('{{shop}}')) continue;
    const hint = 'put {{shop}} where the jobs are to stand';
    throw bad(`'=== ${`user ${name}`.trim()}' says nothing of the shop`, hint, path);
  }
  return { sha256: sum, system, user, users: Object.fromEntries(users) };
}

function headingOf(
  kind: string,
  purpose: string | undefined,
  { file, line }: { readonly file: string; readonly line: number },
): string {
  if (purpose === undefined) return kind;
  if (kind === 'user' && PURPOSES.includes(purpose)) return `user ${purpose}`;
  const hint = kind === 'user' ? suggestNames(purpose, PURPOSES) : "write '=== system'";
  throw bad(`there are no questions of the purpose '${purpose}'`, hint, file, line);
}

function checkPlaces(text: string, path: string, line: number): void {
  for (const [, name] of text.matchAll(/\{\{(\w*)\}\}/g)) {
    if (PLACES.some((place) => place === name)) continue;
    throw bad(`there is no {{${name}}}`, suggestNames(name, PLACES), path, line);
  }
}

function bad(problem: string, hint: string, file: string, line?: number): InputError {
  return new InputError(
    'bad_template',
    problem,
    hint,
    line === undefined ? { file } : { file, line },
  );
}
