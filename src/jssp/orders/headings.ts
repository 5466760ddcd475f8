import { InputError } from '@alas-jssp/core/errors';
import { GERMAN_HEADINGS, IMPORT_FIELDS, type ImportField, type ImportMap } from './import-map.js';

/** The columns of a file. */
export interface FoundColumns {
  readonly fields: Map<ImportField, number>;
  /** The columns that belong to no field, by their distinct headings. */
  readonly others: ReadonlyMap<string, number>;
  /** Whether any field was found by a German heading. */
  readonly isGerman: boolean;
}

/** The columns that are no fields, although their headings are those of one. */
export interface PlainColumns {
  readonly without?: readonly ImportField[];
  /** Headings. */
  readonly keep?: readonly string[] | undefined;
}

/** The row of headings of a file. */
interface HeadingRow {
  readonly cells: readonly string[];
  readonly file: string;
  readonly line: number;
}

/**
 * The column of each field, by the mapping or by its usual headings, English or German.
 *
 * @throws InputError `bad_order` for a heading of the mapping that does not exist, and for two columns of one field
 */
export function findColumns(
  row: HeadingRow,
  headings: ImportMap['columns'],
  plain: PlainColumns = {},
): FoundColumns {
  const { cells, file, line } = row;
  const fields = new Map<ImportField, number>();
  let isGerman = false;
  for (const { field, found, isGerman: isGermanOne } of columnsByField(cells, headings, plain)) {
    const named = headings[field];
    if (found.length > 1) {
      const problem = `two columns could be the ${wordsOfField(field)}: ${found.map((i) => JSON.stringify(cells[i])).join(' and ')}`;
      throw new InputError('bad_order', problem, 'say which one in a mapping', { file, line });
    }
    if (found.length === 1) {
      fields.set(field, found[0]);
      isGerman ||= isGermanOne;
    } else if (named !== undefined) {
      const problem = `there is no column ${JSON.stringify(named)}, which the mapping names for the ${wordsOfField(field)}`;
      const hint = `use one of ${cells.map((cell) => JSON.stringify(cell)).join(', ')}`;
      throw new InputError('bad_order', problem, hint, { file, line }, named);
    }
  }
  return { fields, others: otherColumns(cells, new Set(fields.values())), isGerman };
}

/** The candidate columns of each field, and whether any field was found by a German heading. */
export function columnsByField(
  cells: readonly string[],
  headings: ImportMap['columns'],
  { without = [], keep = [] }: PlainColumns = {},
): {
  readonly field: ImportField;
  readonly found: readonly number[];
  readonly isGerman: boolean;
}[] {
  const titles = cells.map(normalizeHeading);
  const mapped = new Set(
    [...Object.values(headings), ...keep].map((title) => normalizeHeading(String(title))),
  );
  const fields = (Object.keys(IMPORT_FIELDS) as ImportField[]).filter(
    (field) => !without.includes(field),
  );
  return fields.map((field) => {
    const named = headings[field];
    const usual = (list: readonly string[]) =>
      new Set(list.map(normalizeHeading).filter((title) => !mapped.has(title)));
    const german = usual(named === undefined ? GERMAN_HEADINGS[field] : []);
    const english =
      named === undefined ? usual(IMPORT_FIELDS[field]) : new Set([normalizeHeading(named)]);
    const found = [...titles.keys()].filter((i) => english.has(titles[i]) || german.has(titles[i]));
    const [title] = found.length === 1 ? found.map((i) => titles[i]) : [''];
    return { field, found, isGerman: german.has(title) && !english.has(title) };
  });
}

/** The columns that belong to no field, by their headings; a column without a heading gets its number. */
function otherColumns(
  cells: readonly string[],
  known: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const others = new Map<string, number>();
  cells.forEach((cell, i) => {
    if (known.has(i)) return;
    const title = cell === '' ? `column ${i + 1}` : cell;
    others.set(others.has(title) ? `${title} (column ${i + 1})` : title, i);
  });
  return others;
}

/** A field in words: `time per piece` for `per_piece`. */
export function wordsOfField(field: ImportField): string {
  return field === 'per_piece' ? 'time per piece' : field.replace('_', ' ');
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A heading without differences in spelling: `Rüstzeit [min]` becomes `ruestzeit`. */
export function normalizeHeading(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter])
    .replace(/\s*(?:\((?:min|minutes|minuten)\.?\)|\[(?:min|minutes|minuten)\.?\])$/, '')
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim();
}
