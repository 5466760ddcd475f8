// The parts for command lines of other packages of this project: `alas-jssp/command-line`.
export { Argument, Command, InvalidArgumentError, Option } from 'commander';
export { type Column, columnsOf } from '../../report/columns.js';
export { counted, fixed, whole } from '../../report/format.js';
export type { StillPage } from '../../report/page/html.js';
export { type Markup, markup } from '../../report/page/markup.js';
export { type Format, formats, renderJson, renderTable } from '../../report/table.js';
export { type CommandEntry, type CommandLine, runCommandLine } from './command-line.js';
export { namingFile, outputFile, readStdin, writeOutput } from './files.js';
export { describeWait, isLongWait } from './model-words.js';
export {
  amount,
  collect,
  collectPlanners,
  gather,
  type OutputOptions,
  seconds,
  wholeNumber,
  withOutput,
  withQuiet,
} from './options.js';
export { print, printError, remark, remarkVerdict } from './output.js';
export { writeStillPage } from './page-file.js';
export {
  type CommandProcess,
  exitCode,
  type OutputStream,
  onInterruption,
  type Session,
} from './session.js';
export { withSeed } from './setting-options.js';
export { printMore, printRows } from './tables.js';
