import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, readBytes, writeJsonFile } from '@alas-jssp/core';
import { InputError } from 'alas-jssp';
import {
  Argument,
  Command,
  columnsOf,
  counted,
  exitCode,
  type OutputOptions,
  printRows,
  remark,
  type Session,
  whole,
  withOutput,
} from 'alas-jssp/command-line';
import { readRealm } from '../realm/read-realm.js';
import type { RealmReading } from '../realm/realm-reading.js';

interface Options extends OutputOptions {
  out?: string;
}

/** `alas-coordination import`: converts files of another collection into problems. */
export function importCommand(session: Session): Command {
  return withOutput(session, new Command('import'))
    .addArgument(
      new Argument('<collection>', 'where the files are from: REALM-Bench').choices(['realm']),
    )
    .argument('<files...>', 'instances: of P3 and P4, and of P5, P6, P8, P9, which are refused')
    .option('--out <dir>', 'directory for problems (NAME.json) and disruptions (NAME.events.json)')
    .addHelpText(
      'after',
      `
Each problem states what was decided where the source does not say it; what an
instance contradicts, or why it is refused, is listed with it. A file that is no
such instance, or repeats one, is refused by its name; the others are written.

Exit code 0 if all become problems, 1 if some are refused, 2 if no file can be read.

Examples:
  $ alas-coordination import realm P3/*.json P4/*.json --out problems
  $ alas-coordination import realm P8/p8_instance_022.json --json`,
    )
    .action(async (_collection: string, files: string[], options: Options) => {
      session.exitCode = await importRealm(session, files, options);
    });
}

async function importRealm(
  session: Session,
  files: readonly string[],
  { format, out }: Options,
): Promise<number> {
  const readings = readFiles(session, files);
  if (out !== undefined) writeReadings(readings, out);
  const shown = format === 'table' ? shortColumns : columns;
  await printRows(session, format, shown, readings, {
    schema: 'alas-coordination/import@1',
    instances: readings,
  });
  const made = readings.filter(({ problem }) => problem !== null).length;
  const refused = readings.length - made;
  const isInstance = ({ refused: why }: RealmReading) =>
    why.every(({ code }) => code !== 'unreadable');
  remark(session, `${counted(made, 'problem')} made, ${counted(refused, 'instance')} refused`);
  if (!readings.some(isInstance)) return exitCode.badInput;
  return refused === 0 ? exitCode.done : exitCode.no;
}

/** The reading of each file. A file that is unreadable or repeats an earlier name is refused and named. */
function readFiles(session: Session, files: readonly string[]): RealmReading[] {
  const fileOf = new Map<string, string>();
  return files.map((file) => {
    try {
      const reading = readRealm(parseJson(readBytes(file), file), file);
      refuseRepeated(reading, file, fileOf);
      return reading;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      remark(session, `refused: ${error.message}`);
      const code = error.code === 'repeated_instance' ? 'repeated_instance' : 'unreadable';
      const { message } = error;
      return {
        name: file,
        problem: null,
        events: null,
        contradictions: [],
        refused: [{ code, message }],
      };
    }
  });
}

/** Refuses an instance whose files would overwrite those of an earlier one. @throws InputError */
function refuseRepeated(reading: RealmReading, file: string, fileOf: Map<string, string>): void {
  const names = filesOf(reading).map(([name]) => name);
  const taken = names.find((name) => fileOf.has(name));
  if (taken === undefined) {
    for (const name of names) fileOf.set(name, file);
    return;
  }
  throw new InputError(
    'repeated_instance',
    `${taken} is made of ${fileOf.get(taken)} already`,
    'give each instance once, by a name of its own',
    { file, path: '$.instance_id' },
    reading.name,
  );
}

/** The files written for an instance, by name. */
function filesOf({ name, problem, events }: RealmReading): (readonly [string, unknown])[] {
  return [
    ...(problem === null ? [] : [[`${name}.json`, problem] as const]),
    ...(events === null ? [] : [[`${name}.events.json`, events] as const]),
  ];
}

function writeReadings(readings: readonly RealmReading[], out: string): void {
  mkdirSync(out, { recursive: true });
  for (const [name, value] of readings.flatMap(filesOf)) writeJsonFile(join(out, name), value);
}

const column = columnsOf<RealmReading>();
const result = column.of('result', ({ problem }) => (problem === null ? 'refused' : 'problem'));
const counts = [
  column.of('rides', ({ problem }) => problem?.rides?.length ?? null, { format: whole }),
  column.of('vehicles', ({ problem }) => problem?.vehicles?.length ?? null, { format: whole }),
  column.of('events', ({ problem, events }) => problem && (events?.events.length ?? 0), {
    format: whole,
  }),
];

/** Columns with all findings in words, for a document. */
const columns = [
  column('name', { header: 'instance' }),
  result,
  ...counts,
  column.of('contradictions', ({ contradictions }) =>
    contradictions.map(({ message }) => message).join('; '),
  ),
  column.of('refused because', ({ refused }) => refused.map(({ message }) => message).join('; ')),
];

/** Columns with the codes of findings, for a terminal. */
const shortColumns = [
  column('name', { header: 'instance' }),
  result,
  ...counts,
  column.of('findings', ({ contradictions, refused }) => codes([...refused, ...contradictions])),
];

/** Each code once, with its number of occurrences: `reversed_window ×2`. */
function codes(findings: RealmReading['refused']): string {
  const count = new Map<string, number>();
  for (const { code } of findings) count.set(code, (count.get(code) ?? 0) + 1);
  return Array.from(count, ([code, n]) => (n === 1 ? code : `${code} ×${n}`)).join(', ');
}
