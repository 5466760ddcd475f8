import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json } from '@alas-jssp/workflow';
import { createCheckedToolset } from './checked-toolset.js';
import type { Tool } from './tool.js';
import type { ToolCall, Toolset } from './toolset.js';

/** The implementation of a tool in a module. Errors with a `code` keep it. */
export type ToolFunction = (input: Readonly<Record<string, Json>>, call: ToolCall) => unknown;

/**
 * Imports an ES module of tools.
 *
 * @param file relative to the directory, or absolute
 * @throws InputError `bad_module`
 */
export async function importToolModule(
  file: string,
  directory: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(directory, file)).href);
  } catch (error) {
    const problem = `the module cannot be loaded: ${errorLine(error).replace(/ imported from .*/, '')}`;
    throw new InputError('bad_module', problem, 'give an ES module that Node.js can run', { file });
  }
}

/**
 * Tools whose functions a module's `createTools()` returns, by name.
 *
 * @throws InputError `bad_module` if the module lacks the function of a tool
 */
export async function openModuleTools(
  tools: readonly Tool[],
  file: string,
  directory: string,
): Promise<Toolset> {
  const module = await importToolModule(file, directory);
  const functions = await callExport(module, 'createTools', file);
  const byName = requireFunctions(tools, functions, file, 'createTools');
  return createCheckedToolset({
    tools,
    perform: (tool, input, call) => callFunction(byName, tool, input, call),
  });
}

/** Codes that prove that nothing was called: a function that has begun cannot use them. */
const NOT_CALLED = ['UnknownTool', 'BadToolInput', 'NotPermitted', 'ToolsetClosed'];

/** Calls the function of a tool. */
export async function callFunction(
  functions: ReadonlyMap<string, ToolFunction>,
  { name }: Tool,
  input: Readonly<Record<string, Json>>,
  call: ToolCall,
): Promise<unknown> {
  try {
    return await (functions.get(name) as ToolFunction)(input, call);
  } catch (error) {
    if (!NOT_CALLED.includes(Object(error).code)) throw error;
    const { code } = error as { code: string };
    throw new AlasError('ToolFailed', `the tool ${name} failed: ${code}: ${errorLine(error)}`);
  }
}

/**
 * The object that a function exported by a module returns.
 *
 * @throws InputError `bad_module`
 */
export async function callExport(
  module: Readonly<Record<string, unknown>>,
  name: string,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const create = module[name];
  const hint = `export function ${name}()`;
  if (typeof create !== 'function') {
    const problem = `the module exports no function ${name}`;
    throw new InputError('bad_module', problem, hint, { file });
  }
  let made: unknown;
  try {
    made = await create();
  } catch (error) {
    throw new InputError('bad_module', `${name}() failed: ${errorLine(error)}`, hint, { file });
  }
  if (typeof made === 'object' && made !== null) return made as Record<string, unknown>;
  throw new InputError('bad_module', `${name}() returned no object`, hint, { file });
}

/**
 * The functions of all tools.
 *
 * @throws InputError `bad_module` that names a tool without a function
 */
export function requireFunctions(
  tools: readonly Tool[],
  functions: Readonly<Record<string, unknown>>,
  file: string,
  source: string,
): ReadonlyMap<string, ToolFunction> {
  return new Map(
    tools.map(({ name }) => {
      const run = functions[name];
      // Bound, because the object may be an instance of a class.
      if (typeof run === 'function') return [name, run.bind(functions) as ToolFunction];
      const problem = `${source}() returned no function for the tool ${name}`;
      const given = Object.keys(functions);
      const hint =
        given.length === 0 ? 'return a function for each tool' : suggestNames(name, given);
      throw new InputError('bad_module', problem, hint, { file }, name);
    }),
  );
}
