// The columns of the matrix: engines, and how a workflow is written for each of them.

import { writeWorkflow } from '@alas-jssp/workflow';
import { convertWorkflow } from '@alas-jssp/convert';
import * as embedded from './embedded.mjs';

const decode = (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes));

/** Our own runtime takes workflows as they are. */
async function write(workflow) {
  return { text: decode(writeWorkflow(workflow)), report: [] };
}

const converting = (target) => (workflow) => convertWorkflow(workflow, target);

/** `most`: runs at the same time. `lint`: the engine only checks documents. */
export const columns = [
  { name: 'embedded', title: 'embedded', most: 16, write, load: async () => embedded },
  {
    ...{ name: 'temporal', title: 'Temporal', most: 8, write },
    load: () => import('../../engines/temporal/engine.mjs'),
  },
  {
    ...{ name: 'asl', title: 'ASL (moto)', most: 4, write: converting('asl') },
    load: () => import('../../engines/asl/engine.mjs'),
  },
  {
    ...{ name: 'flowable', title: 'BPMN (Flowable)', most: 4, write: converting('bpmn') },
    load: () => import('../../engines/flowable/engine.mjs'),
  },
  {
    ...{ name: 'argo', title: 'Argo (lint)', most: 2, write: converting('argo'), lint: true },
    load: () => import('../../engines/argo/engine.mjs'),
  },
];

/** The engine of a column, if it is there and installed; else why not. */
export async function findEngine({ name, load }) {
  let engine;
  try {
    engine = await load();
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return { missing: `there is no runner for ${name}` };
  }
  if (engine.find() === undefined) {
    return { missing: `${name} is not installed: run engines/${name}/install.sh` };
  }
  return { engine };
}
