import { findItems } from '../../harness/paper/presets/presets.js';
import { renderJson } from '../../report/table.js';
import { print } from '../common/output.js';
import type { Session } from '../common/session.js';
import type { PaperCommandOptions } from './paper-options.js';
import { asTyped, checkPlanners, commandsOf, setupFor } from './setup.js';

/** Prints the commands of rows, as a user would type them. */
export async function printCommands(
  session: Session,
  names: readonly string[],
  options: PaperCommandOptions,
): Promise<void> {
  checkPlanners(options.planner ?? []);
  const rows = findItems(names).map((item) => {
    const commands = commandsOf(item, setupFor(item, options)).map(asTyped);
    return { id: item.id, commands };
  });
  if (options.format === 'json') {
    return print(session, renderJson({ schema: 'alas-jssp/paper-commands@1', rows }));
  }
  await print(
    session,
    rows.map(({ id, commands }) => [`# ${id}`, ...commands, ''].join('\n')).join('\n'),
  );
}
