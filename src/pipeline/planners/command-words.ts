import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { env, platform } from 'node:process';
import { splitCommandWords } from '@alas-jssp/core/command-words';
import { InputError } from '@alas-jssp/core/errors';

/** A command that starts a program without a shell. */
export interface CommandWords {
  readonly words: readonly string[];
  /** Its placeholders. */
  readonly placeholders: ReadonlySet<Placeholder>;
}

/** The placeholders that a command may have in braces. */
const placeholders = [
  'instance',
  'instance.fjs',
  'instance.json',
  'seconds',
  'seed',
  'threads',
] as const;

/** A value that is filled in for each task. */
export type Placeholder = (typeof placeholders)[number];

const HINT = `write exec:PROGRAM ARGUMENT …, with ${placeholders.map((name) => `{${name}}`).join(', ')} where they are wanted`;

/**
 * Splits a command at its blanks, as {@link splitCommandWords} does, and finds its placeholders.
 *
 * @throws InputError `bad_command` if it names no program, a quote is open, or a placeholder is unknown
 */
export function splitCommand(text: string): CommandWords {
  const words = splitCommandWords(text);
  if (words === undefined) throw badCommand(`a quote is open in exec:${text}`, text);
  if (words.length === 0 || words[0] === '') throw badCommand('exec: names no program', text);
  const found = words.flatMap((word) =>
    Array.from(word.matchAll(/\{([a-z._-]+)\}/g), ([, name]) => name),
  );
  const unknown = found.find((name) => !placeholders.some((known) => known === name));
  if (unknown !== undefined) throw badCommand(`there is no placeholder {${unknown}}`, text);
  return { words, placeholders: new Set(found as Placeholder[]) };
}

function badCommand(problem: string, text: string): InputError {
  return new InputError('bad_command', problem, HINT, {}, text);
}

/** The words of a command with all placeholders filled in. */
export function fillCommand(
  { words }: CommandWords,
  values: Readonly<Record<Placeholder, string>>,
): string[] {
  return words.map((word) =>
    word.replaceAll(/\{([a-z._-]+)\}/g, (_, name: Placeholder) => values[name]),
  );
}

/**
 * The files that a command may name; the caller checks which words are files.
 *
 * @throws InputError as {@link splitCommand} does
 */
export function namedFiles(text: string): string[] {
  return splitCommand(text).words.filter((word) => !/^-|\{/.test(word));
}

/** Where a system looks for a program: its kind, PATH, and on Windows PATHEXT. */
export interface ProgramSearch {
  readonly system: NodeJS.Platform;
  readonly path: string;
  readonly extensions: string;
}

/**
 * The files that a program may be, in the order in which they are tried. On Windows a program has an extension, which
 * may be omitted. Only .exe and .com files can be started without a shell.
 */
export function programPlaces(
  program: string,
  { system, path, extensions }: ProgramSearch,
): readonly string[] {
  const isWindows = system === 'win32';
  const { join, delimiter, extname } = isWindows ? win32 : posix;
  // PATHEXT may end with a semicolon.
  const endings = extensions
    .toLowerCase()
    .split(';')
    .filter((ending) => ending !== '');
  const startable = endings.filter((ending) => ending === '.exe' || ending === '.com');
  const names =
    isWindows && !endings.includes(extname(program).toLowerCase())
      ? startable.map((ending) => program + ending)
      : [program];
  const isPath = isWindows ? /[\\/:]/.test(program) : program.includes('/');
  if (isPath) return names;
  const folders = path.split(delimiter).filter((folder) => !isWindows || folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/**
 * Checks that a program exists and is executable.
 *
 * @throws InputError `no_program`
 */
export function requireProgram(program: string): void {
  const { PATH: path = '', PATHEXT: extensions = '.COM;.EXE' } = env;
  const places = programPlaces(program, { system: platform, path, extensions });
  const files = places.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (files.some(isExecutable)) return;
  const [file] = files;
  throw new InputError(
    'no_program',
    file === undefined ? `there is no program ${program}` : `${file} is not executable`,
    file === undefined
      ? 'install it, or write its path'
      : `make it executable (chmod +x), or start it by its interpreter`,
    {},
    program,
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
