// The columns of the matrix: engines, and how a workflow is written for each of them.

import { type ConversionTarget, convertWorkflow } from '@alas-jssp/convert';
import { type Workflow, writeWorkflow } from '@alas-jssp/workflow';
import * as embedded from './embedded.js';
import type { Column, EngineModule } from './engine.js';

const decode = (bytes: string | Uint8Array) =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);

/** Our own runtime takes workflows as they are. */
async function write(workflow: Workflow) {
  return { text: decode(writeWorkflow(workflow)), report: [] };
}

const converting = (target: ConversionTarget) => (workflow: Workflow) =>
  convertWorkflow(workflow, target);

const runner = (name: string) => (): Promise<EngineModule> =>
  import(new URL(`../../../../engines/${name}/engine.mjs`, import.meta.url).href);

export const columns: Column[] = [
  { name: 'embedded', title: 'embedded', most: 16, write, load: async () => embedded },
  { name: 'temporal', title: 'Temporal', most: 8, write, load: runner('temporal') },
  { name: 'asl', title: 'ASL (moto)', most: 4, write: converting('asl'), load: runner('asl') },
  {
    name: 'flowable',
    title: 'BPMN (Flowable)',
    most: 4,
    write: converting('bpmn'),
    load: runner('flowable'),
  },
  {
    name: 'argo',
    title: 'Argo (lint)',
    most: 2,
    write: converting('argo'),
    load: runner('argo'),
    lint: true,
  },
];

/** The engine of a column, if it is there and installed; else why not. */
export async function findEngine({
  name,
  load,
}: Column): Promise<{ module: EngineModule } | { missing: string }> {
  let module: EngineModule;
  try {
    module = await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return { missing: `there is no runner for ${name}` };
  }
  if (module.find() === undefined) {
    return { missing: `${name} is not installed: run engines/${name}/install.sh` };
  }
  return { module };
}
