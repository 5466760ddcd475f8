import { suggestNames } from '@alas-jssp/core/nearest-names';
import { once } from '@alas-jssp/core/once';
import type { Json } from '@alas-jssp/workflow';
import type { Compensation, GuardedCall } from '../../compensation.js';
import { cannotUndo, fromStored, readSettings, toStored } from '../settings.js';
import {
  observeContent,
  type PreparedContent,
  prepareContent,
  undoContent,
} from './content-undo.js';
import {
  observeDirectory,
  type PreparedDirectory,
  prepareDirectory,
  undoDirectory,
} from './directory-undo.js';
import { type FilesSettings, filesSettings } from './files-settings.js';
import { observeMove, type PreparedMove, prepareMove, undoMove } from './move-undo.js';
import { openRoots } from './safe-path.js';

/** The largest number of entries of a directory that is moved. */
const MOST_ENTRIES = 10_000;

type PreparedFiles = PreparedContent | PreparedDirectory | PreparedMove;

/**
 * Takes back tools that write, edit, delete and move files or make directories, by the files themselves: the tools need
 * no inverse. It touches only paths inside its roots, never through symbolic links.
 *
 * @throws InputError `bad_compensation` for wrong settings; its methods throw `cannot_undo`
 */
export function filesCompensation(settings: Json): Compensation {
  const { roots: directories, largest, tools } = readSettings('files', filesSettings, settings);
  const limits = { bytes: largest, entries: MOST_ENTRIES };
  const openOnce = once(() => openRoots(directories));
  return {
    name: 'files',
    async prepare(call) {
      const tool = requireTool(tools, call);
      const roots = await openOnce();
      if (tool.does === 'move') return toStored(await prepareMove(tool, call, roots, limits));
      if (tool.does === 'create-directory') {
        return toStored(await prepareDirectory(tool.path, call, roots));
      }
      return toStored(await prepareContent(tool, call, roots, limits));
    },
    async observe(call, stored, output) {
      const prepared = fromStored<PreparedFiles>(stored);
      if (prepared.does === 'move') return observeMove(prepared, limits);
      if (prepared.does === 'create-directory') return observeDirectory(prepared);
      return observeContent(call, prepared, output !== undefined, limits);
    },
    async undo(call, stored, after) {
      const prepared = fromStored<PreparedFiles>(stored);
      const roots = await openOnce();
      if (prepared.does === 'move') return undoMove(prepared, fromStored(after), roots, limits);
      if (prepared.does === 'create-directory') {
        return undoDirectory(prepared, fromStored(after), roots);
      }
      return undoContent(call, prepared, fromStored(after), roots, limits);
    },
  };
}

function requireTool(tools: FilesSettings['tools'], { tool }: GuardedCall) {
  const known = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (known !== undefined) return known;
  const hint = suggestNames(tool, Object.keys(tools));
  throw cannotUndo(`the compensation files does not know the tool ${tool}`, hint, tool);
}
