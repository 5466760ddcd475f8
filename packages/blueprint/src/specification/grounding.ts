import type { ToolCatalogue } from '@alas-jssp/agents';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { DraftFinding } from '../drafting/part.js';
import type { Specification } from './specification.js';
import { numbersStated, valuesOfText } from './text-numbers.js';
import {
  closestSentence,
  hasName,
  isQuoted,
  namesStated,
  plainText,
  stemsOf,
} from './text-words.js';

/** A statement of a specification, with its place. */
interface Statement {
  readonly part: keyof Pick<
    Specification,
    'objectives' | 'entities' | 'inputs' | 'operations' | 'constraints' | 'disruptions'
  >;
  readonly path: JsonPath;
  readonly id: string;
  /** The texts that are searched for numbers and names, by key. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names as a whole: of a system or an entity, by key. */
  readonly names: Readonly<Record<string, string>>;
  /** Undefined for statements without a source, such as inputs. */
  readonly source: string | null | undefined;
}

/** A number or a name of a statement that is neither in the text nor assumed. */
interface Ungrounded {
  readonly statement: Statement;
  readonly key: string;
  readonly kind: 'number' | 'name';
  readonly value: string;
}

/** The text, with all that is assumed and known, for look-ups of numbers and names. */
interface Grounds {
  readonly text: string;
  readonly values: ReadonlySet<number>;
  readonly stems: ReadonlySet<string>;
}

/**
 * Checks that a specification says what the text says: each source is found in the text word for word; each number and
 * each name of a person, system or entity is found in the text, or in the values of an assumption or the assumed answer
 * of a question; each statement without a source is backed by an assumption or a question.
 *
 * @param known names besides those of the text, such as the systems of tools
 */
export function checkGrounding(
  specification: Specification,
  text: string,
  known: readonly string[] = [],
): DraftFinding[] {
  const plain = plainText(text);
  const statements = statementsOf(specification);
  const grounds = groundsOf(specification, text, known);
  return [
    ...statements.flatMap((statement) => checkSource(statement, plain)),
    ...statements.flatMap((statement) => ungroundedIn(statement, grounds)).map(ungroundedFinding),
    ...statements.flatMap((statement) => checkAssumed(statement, specification)),
  ];
}

/** The names of the systems of tools, which a specification may use. */
export function systemsOf({ tools }: ToolCatalogue): string[] {
  return tools.flatMap(({ name, system }) => (system === undefined ? [name] : [name, system]));
}

/** The numbers and names of a specification that are neither in the text nor assumed. */
export function ungroundedValues(
  specification: Specification,
  text: string,
  known: readonly string[] = [],
): string[] {
  const grounds = groundsOf(specification, text, known);
  const found = statementsOf(specification).flatMap((statement) =>
    ungroundedIn(statement, grounds),
  );
  return [...new Set(found.map(({ value }) => value))];
}

function statementsOf(specification: Specification): Statement[] {
  const { title, objectives, entities, inputs, operations, constraints, disruptions } =
    specification;
  const some = (texts: Record<string, string | null>) =>
    Object.fromEntries(Object.entries(texts).filter((entry) => entry[1] !== null)) as Record<
      string,
      string
    >;
  const titled: Statement = {
    part: 'objectives',
    path: [],
    id: 'title',
    // Titles write ordinary words with capital letters.
    texts: { title: title.toLowerCase() },
    names: {},
    source: undefined,
  };
  const plain = (part: 'objectives' | 'constraints' | 'disruptions') => {
    const items: readonly { id: string; text: string; source: string | null }[] =
      specification[part];
    return items.map(({ id, text, source }, index): Statement => {
      return { part, path: [part, index], id, texts: { text }, names: {}, source };
    });
  };
  return [
    titled,
    ...(objectives.length > 0 ? plain('objectives') : []),
    ...entities.map(({ id, name, source }, index): Statement => {
      const path = ['entities', index];
      return { part: 'entities', path, id, texts: {}, names: { name }, source };
    }),
    ...inputs.map(({ name, description }, index): Statement => {
      const path = ['inputs', index];
      const texts = { description };
      return { part: 'inputs', path, id: name, texts, names: {}, source: undefined };
    }),
    ...operations.map(({ id, does, undo, system, source }, index): Statement => {
      const path = ['operations', index];
      return {
        part: 'operations',
        path,
        id,
        texts: some({ does, undo }),
        names: some({ system }),
        source,
      };
    }),
    ...(constraints.length > 0 ? plain('constraints') : []),
    ...(disruptions.length > 0 ? plain('disruptions') : []),
  ];
}

function groundsOf(
  { questions, assumptions }: Specification,
  text: string,
  known: readonly string[],
): Grounds {
  const assumed = [
    ...assumptions.flatMap(({ values }) => values),
    ...questions.map((question) => question.assumed),
  ];
  const all = [plainText(text), ...assumed].join('\n');
  return {
    text: [all, ...known].join('\n'),
    values: valuesOfText(all),
    stems: stemsOf([all, ...known].join('\n')),
  };
}

function checkSource({ part, path, id, texts, names, source }: Statement, text: string) {
  if (source === undefined || source === null) return [];
  if (isQuoted(plainText(source), text)) return [];
  const words = Object.values({ ...texts, ...names }).join(' ');
  const sentence = closestSentence(`${source} ${words}`, text);
  const quote = sentence === undefined ? 'a sentence of the text' : JSON.stringify(sentence);
  return [
    {
      code: 'unknown_source',
      severity: 'error',
      part,
      path: formatPath([...path, 'source']),
      message: `the source of ${id} is not in the text word for word: ${JSON.stringify(source)}`,
      hint: `copy the sentence that says it, such as ${quote}, or give null if the text does not say it`,
    } satisfies DraftFinding,
  ];
}

function ungroundedIn(statement: Statement, { text, values, stems }: Grounds): Ungrounded[] {
  const { texts, names } = statement;
  const numbers = Object.entries(texts).flatMap(([key, words]) =>
    numbersStated(words)
      .filter(({ value }) => !values.has(value))
      .map(({ written }): Ungrounded => ({ statement, key, kind: 'number', value: written })),
  );
  const people = Object.entries(texts).flatMap(([key, words]) =>
    namesStated(words)
      .filter((name) => !hasName(name, text, stems))
      .map((name): Ungrounded => ({ statement, key, kind: 'name', value: name })),
  );
  const wholes = Object.entries(names).flatMap(([key, name]): Ungrounded[] => {
    const isKnown = [...stemsOf(name)].every((one) => stems.has(one)) || hasName(name, text, stems);
    return isKnown ? [] : [{ statement, key, kind: 'name', value: name }];
  });
  return [...numbers, ...people, ...wholes];
}

/** A statement that has a source says something else than that; an assumed one lacks an assumption. */
function ungroundedFinding({ statement, key, kind, value }: Ungrounded): DraftFinding {
  const { part, path, id, source } = statement;
  const isAssumed = source === null;
  const shown = JSON.stringify(value);
  const listed = `list ${shown} in the values of an assumption`;
  return {
    code: kind === 'number' ? 'ungrounded_number' : 'ungrounded_name',
    severity: 'error',
    part: isAssumed ? 'questions' : part,
    path: isAssumed ? '$.assumptions' : formatPath([...path, key]),
    message: `the ${kind} ${shown} of ${id} is neither in the text nor assumed`,
    hint: isAssumed
      ? `${listed} about ${id}`
      : `use the ${kind}s of the text only; if it is an assumption, give ${id} the source null and ${listed}`,
  };
}

/** A statement without a source needs an assumption or a question that is about it. */
function checkAssumed(statement: Statement, specification: Specification): DraftFinding[] {
  const { id, part, texts, names, source } = statement;
  if (source !== null) return [];
  const words = Object.values({ ...texts, ...names }).join(' ');
  const own = stemsOf(words);
  const needed = Math.min(2, own.size);
  const { questions, assumptions } = specification;
  const backing = [
    ...assumptions.map(({ text, reason, values }) => [text, reason, ...values].join(' ')),
    ...questions.map(({ question, assumed }) => `${question} ${assumed}`),
  ];
  // Ids such as `count` are ordinary words of other assumptions, too.
  const isDistinct = /[\d_-]/.test(id);
  const named = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  const isBacked = backing.some((one) => {
    const stems = stemsOf(one);
    const shared = [...own].filter((word) => stems.has(word)).length;
    return shared >= needed || (isDistinct && named.test(one));
  });
  if (isBacked) return [];
  return [
    {
      code: 'unlisted_assumption',
      severity: 'error',
      part: 'questions',
      path: '$.assumptions',
      message: `${id} of ${part} is not in the text, and no assumption or question says so: ${JSON.stringify(words)}`,
      hint: `add an assumption that names ${id} and says why it is assumed, or a question with an assumed answer`,
    },
  ];
}
