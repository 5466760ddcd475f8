import { resolve } from 'node:path';
import type * as convertPackage from '@alas-jssp/convert';
import type {
  ConversionTarget,
  FeatureNote,
  GuardLanguage,
  HandlerMap,
  HandlerPlace,
} from '@alas-jssp/convert';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import { decodeText } from '@alas-jssp/core/text';
import { parseWorkflow, type Workflow, writeWorkflow } from '@alas-jssp/workflow';
import { Command, Option } from 'commander';
import { columnsOf } from '../../report/columns.js';
import { counted } from '../../report/format.js';
import { renderJson, renderTable } from '../../report/table.js';
import { namingFile, outputFile, readStdin, writeOutput } from '../common/files.js';
import { loadPackage } from '../common/load-package.js';
import { collect } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { tableStyle } from '../common/tables.js';
import { isDraftFolder, readAnyWorkflow } from './draft-folder.js';
import { type OutcomeOptions, withOutcome } from './outcome.js';

/** Choices of the options, shown also where the package is not installed. */
const TARGETS = ['asl', 'argo', 'bpmn'] as const satisfies readonly ConversionTarget[];
const GUARD_LANGUAGES = ['jsonata', 'jsonpath'] as const satisfies readonly GuardLanguage[];

type ConvertPackage = typeof convertPackage;
type Levels = ConvertPackage['SUPPORT_LEVELS'];

interface Options extends OutcomeOptions {
  to?: ConversionTarget;
  out?: string;
  map?: string;
  guards?: GuardLanguage;
  allowLoss?: string[];
  report?: string;
}

/** `alas-jssp workflow convert`: converts workflows to other languages and back. */
export function workflowConvertCommand(session: Session): Command {
  return withOutcome(session, new Command('convert'))
    .description('convert a workflow to the language of another engine, or back')
    .argument(
      '<file>',
      'a workflow in JSON, the folder of a draft, or a document of this command; - for stdin',
    )
    .addOption(new Option('--to <language>', 'target language (default: our own)').choices(TARGETS))
    .option('--out <file>', 'file for the document (default: stdout)', outputFile)
    .option('--map <file>', 'JSON file with the places of the handlers in the target')
    .addOption(
      new Option(
        '--guards <language>',
        'language of guards in asl, if it can express them',
      ).choices(GUARD_LANGUAGES),
    )
    .option(
      '--allow-loss <features>',
      'features that may be lost, separated by commas; may be repeated',
      collect,
    )
    .option('--report <file>', 'file for the report, JSON or, by its name, CSV', outputFile)
    .addHelpText(
      'after',
      `
Languages: asl is Amazon States Language (AWS Step Functions), argo is Argo
Workflows, bpmn is BPMN 2.0 (with a diagram). A document contains its source
workflow; without --to, that workflow is written in our own form. Documents of
other programs, and edited documents, are refused.

A feature is native in a language, emulated by several constructs, static-only
(a note without execution) or unsupported. The table on stderr lists those that
are not native, and how they are expressed. Unsupported features are refused
unless --allow-loss names them.

Guards are written in JSONata. With --guards jsonpath (and --to asl), a choice
of the outermost machine is in JSONPath if that can express all its guards; the
report names the language of each guard.

Exit code 0 if it is converted, 2 if not.

Examples:
  $ alas-jssp workflow convert refund.json --to asl --out refund.asl.json
  $ alas-jssp workflow convert refund.json --to argo --map map.json
  $ alas-jssp workflow convert refund.asl.json > back.json
  $ alas-jssp workflow blueprint | alas-jssp workflow convert - --to bpmn`,
    )
    .action((file: string, options: Options) => convert(session, file, options));
}

/** A converted file: the document and a note on each feature. */
interface Result {
  readonly workflow: Workflow;
  readonly document: string;
  readonly notes: readonly FeatureNote[];
  /** From native to unsupported. */
  readonly levels: Levels;
}

async function convert(session: Session, file: string, options: Options): Promise<void> {
  const { to, out, report } = options;
  if (to !== 'asl' && options.guards !== undefined) {
    throw new InputError('bad_guards', '--guards needs --to asl', 'omit it');
  }
  const converter = await loadPackage('@alas-jssp/convert', () => import('@alas-jssp/convert'));
  converter.refuseLosses([], '', options.allowLoss);
  refuseOverwriting(file, options);
  const map = readMap(converter, options.map);
  const name = file === '-' ? 'stdin' : file;
  const bytes = await readSource(session, file);
  const result = await namingFile(name, () => makeDocument(converter, bytes, name, map, options));
  const { document, workflow, notes, levels } = result;
  if (report !== undefined) writeOutput(report, renderReport(report, result, options));
  if (out !== undefined) writeOutput(out, document);
  if (options.format === 'json') {
    await print(session, renderJson(dataOf(result, options, out === undefined)));
  } else if (out === undefined) await print(session, document);
  if (to !== undefined) remarkGaps(session, converter, workflow, map, to);
  if (to !== undefined && !session.quiet) remarkLosses(session, notes, levels);
}

/** The bytes of a file; of a draft's folder those of its workflow. */
async function readSource(session: Session, file: string): Promise<Uint8Array> {
  if (file === '-') return readStdin(session);
  if (!isDraftFolder(file)) return readBytes(file);
  return new TextEncoder().encode(writeWorkflow(await readAnyWorkflow(file)));
}

/** Refuses output files that this command also reads or writes. */
function refuseOverwriting(file: string, { map, out, report }: Options): void {
  const used = [file === '-' ? [] : file, map ?? []].flat().map((name) => resolve(name));
  for (const name of [out ?? [], report ?? []].flat()) {
    if (used.includes(resolve(name))) {
      throw new InputError(
        'same_file',
        'this command also reads or writes this file',
        'name another file',
        { file: name },
      );
    }
    used.push(resolve(name));
  }
}

async function makeDocument(
  { convertWorkflow, isConverted, readConverted, SUPPORT_LEVELS: levels }: ConvertPackage,
  bytes: Uint8Array,
  file: string,
  map: HandlerMap,
  { to, guards, allowLoss = [] }: Options,
): Promise<Result> {
  const text = decodeText(bytes, file);
  const workflow = isConverted(text) ? await readConverted(text, file) : parseWorkflow(bytes, file);
  if (to === undefined) return { workflow, document: writeWorkflow(workflow), notes: [], levels };
  const { text: document, report } = await convertWorkflow(workflow, to, {
    map,
    guards,
    allowLoss,
  });
  return { workflow, document, notes: report, levels };
}

function readMap({ EMPTY_MAP, toHandlerMap }: ConvertPackage, file = ''): HandlerMap {
  if (file === '') return EMPTY_MAP;
  return toHandlerMap(parseJson(readBytes(file), file), file);
}

/** The key that each target needs in a place. */
const PLACE_KEYS = { asl: 'arn', argo: 'image', bpmn: 'topic' } as const satisfies Record<
  ConversionTarget,
  keyof HandlerPlace
>;

function remarkGaps(
  session: Session,
  { findMapGaps }: ConvertPackage,
  workflow: Workflow,
  map: HandlerMap,
  to: ConversionTarget,
) {
  const { unknown, missing } = findMapGaps(map, workflow, PLACE_KEYS[to]);
  if (unknown.length > 0) {
    remark(session, `the map has names that the workflow does not have: ${unknown.join(', ')}`);
  }
  if (missing.length > 0) {
    const key = PLACE_KEYS[to];
    remark(session, `without ${key} in a --map: ${missing.join(', ')}`);
  }
}

/** Equal notes of several places. */
interface FeatureRow extends Omit<FeatureNote, 'place'> {
  readonly places: readonly string[];
}

const LISTED_PLACES = 3;

const column = columnsOf<FeatureRow>();
const columns = [
  column('feature'),
  column('level', { tone: ({ level }) => (level === 'unsupported' ? 'bad' : 'plain') }),
  column.of('where', ({ places }) => describePlaces(places), { minor: 1 }),
  column('how'),
];

function describePlaces(places: readonly string[]): string {
  const named = places.filter((place) => place !== '').slice(0, LISTED_PLACES);
  if (named.length === 0) return 'the workflow';
  const more = places.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Prints a table of the features that are not native, and counts by level. */
function remarkLosses(session: Session, notes: readonly FeatureNote[], levels: Levels): void {
  const rows = rowsOf(
    notes.filter(({ level }) => level !== 'native'),
    levels,
  );
  if (rows.length > 0) {
    remark(session, renderTable(columns, rows, 'table', tableStyle(session.host.stderr)));
  }
  const counts = Object.entries(countLevels(notes, levels)).map(
    ([level, number]) => `${number} ${level}`,
  );
  remark(session, `${counted(notes.length, 'use')} of features: ${counts.join(', ')}`);
}

function rowsOf(notes: readonly FeatureNote[], levels: Levels): FeatureRow[] {
  const rows = new Map<string, { row: FeatureRow; places: string[] }>();
  for (const { place, ...note } of notes) {
    const key = JSON.stringify([note.level, note.feature, note.how]);
    const { places } = rows.get(key) ?? {};
    if (places === undefined) {
      const own = [place];
      rows.set(key, { row: { ...note, places: own }, places: own });
    } else places.push(place);
  }
  const rank = ({ level }: FeatureRow) => -levels.indexOf(level);
  return Array.from(rows.values(), ({ row }) => row).sort((a, b) => rank(a) - rank(b));
}

function countLevels(notes: readonly FeatureNote[], levels: Levels): Record<string, number> {
  return Object.fromEntries(
    levels.map((level) => [level, notes.filter((note) => note.level === level).length]),
  );
}

/** The conversion as a JSON document. */
function dataOf({ workflow, document, notes, levels }: Result, options: Options, whole: boolean) {
  const { to = null, allowLoss = [] } = options;
  return {
    schema: 'alas-jssp/conversion@1',
    workflow: workflow.name,
    to,
    allowed: allowLoss,
    counts: countLevels(notes, levels),
    notes,
    ...(whole ? { document } : {}),
  };
}

const noteColumn = columnsOf<FeatureNote>();
const noteColumns = [
  noteColumn('feature'),
  noteColumn('place'),
  noteColumn('level'),
  noteColumn('how'),
];

function renderReport(file: string, result: Result, options: Options): string {
  return /\.csv(\.gz)?$/i.test(file)
    ? renderTable(noteColumns, result.notes, 'csv', {})
    : renderJson(dataOf(result, options, false));
}
