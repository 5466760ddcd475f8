import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AlasError } from '@alas-jssp/core/errors';
import { expect, test } from 'vitest';
import { readGuardPolicy } from '../packages/agents/src/guard/policy.js';
import { createCassetteModel } from '../packages/agents/src/models/cassette-model.js';
import { toCatalogue } from '../packages/agents/src/tools/read-catalogue.js';
import { openAgentLibrary } from '../packages/blueprint/src/factory/library.js';
import { readDraft } from '../packages/blueprint/src/folder/read-draft.js';
import { openChangeset } from '../packages/changeset/src/changeset.js';
import { toHandlerMap } from '../packages/convert/src/mapping.js';
import { readEventList } from '../packages/coordination/src/events/events.js';
import { readPlan } from '../packages/coordination/src/model/plan.js';
import { readProblem } from '../packages/coordination/src/model/problem.js';
import { readRealmRecords } from '../packages/coordination/src/realm/suites/realm-record.js';
import { readCoordinationRecords } from '../packages/coordination/src/runs/record.js';
import { readTravelEvents } from '../packages/coordination/src/travel/events/travel-events.js';
import { readTravelPlan } from '../packages/coordination/src/travel/model/travel-plan.js';
import { readTravel } from '../packages/coordination/src/travel/model/travel-problem.js';
import { readTravelRecords } from '../packages/coordination/src/travel/runs/travel-record.js';
import { openQuarantine } from '../packages/service/src/shops/quarantine.js';
import { fillFaults } from '../packages/workflow/src/hosts/faults.js';
import { toWorkflow } from '../packages/workflow/src/index.js';
import { parseStored, recordedPlanners } from '../src/llm/answer-store.js';
import { temporaryDirectory } from './temporary-directory.js';

// Formats whose readers have no command of their own in test/cli/formats.test.ts. The document has a key that this
// version does not know and none that it wants: only its version may count.

type Read = (document: object, file: string, folder: string) => unknown;

/** Reads a document from a file. */
const ofFile =
  (read: (file: string) => unknown): Read =>
  (document, file) => {
    writeFileSync(file, `${JSON.stringify(document)}\n`);
    return read(file);
  };

const inFolder =
  (name: string, read: (folder: string) => unknown): Read =>
  (document, _, folder) => {
    writeFileSync(join(folder, name), `${JSON.stringify(document)}\n`);
    return read(folder);
  };

const readers: readonly (readonly [schema: string, read: Read])[] = [
  ['alas-jssp/guard@1', ofFile(readGuardPolicy)],
  ['alas-jssp/cassette@1', ofFile(createCassetteModel)],
  ['alas-jssp/tools@1', (document, file) => toCatalogue(document, file)],
  ['alas-jssp/draft@1', inFolder('draft.json', readDraft)],
  ['alas-jssp/agent@1', inFolder('agent.json', (folder) => openAgentLibrary(folder))],
  ['alas-jssp/handler-map@1', (document, file) => toHandlerMap(document, file)],
  ['alas-jssp/faults@1', fillFaults],
  ['alas-jssp/workflow@1', (document, file) => toWorkflow(document, file)],
  ['alas-jssp/quarantine@1', ofFile(openQuarantine)],
  ['alas-jssp/answer@2', ofFile((file) => parseStored(readFileSync(file), file))],
  ['alas-jssp/planner@1', inFolder('planner-0123456789abcdef.json', recordedPlanners)],
  ['alas-coordination/problem@1', (document, file) => readProblem(document, file)],
  ['alas-coordination/plan@1', (document, file) => readPlan(document, file)],
  ['alas-coordination/events@1', (document, file) => readEventList(document, file)],
  ['alas-coordination/run@1', ofFile(readCoordinationRecords)],
  ['alas-coordination/realm-run@1', ofFile(readRealmRecords)],
  ['alas-coordination/travel@1', (document, file) => readTravel(document, file)],
  ['alas-coordination/travel-plan@1', (document, file) => readTravelPlan(document, file)],
  ['alas-coordination/travel-events@1', (document, file) => readTravelEvents(document, file)],
  ['alas-coordination/travel-run@1', ofFile(readTravelRecords)],
];

test.each(readers)(
  'a later version than %s is refused in one line, with what to do',
  (schema, read) => {
    const [name, version] = schema.split('@');
    const later = `${name}@${Number(version) + 1}`;
    const folder = temporaryDirectory();
    expect(lineOf(() => read({ laterKey: {}, schema: later }, join(folder, 'it'), folder))).toMatch(
      new RegExp(`this is "${later}"; this alas-jssp reads version ${version}: update it$`),
    );
  },
);

test('a changeset of a later version is refused in one line, with what to do', () => {
  const [root, directory] = [temporaryDirectory(), temporaryDirectory()];
  openChangeset({ root, directory }).discard();
  const line = { op: 'open', schema: 'alas-jssp/changeset@2', root, laterKey: {} };
  writeFileSync(join(directory, 'journal.jsonl'), `${JSON.stringify(line)}\n`);
  expect(lineOf(() => openChangeset({ root, directory }))).toMatch(
    /this is "alas-jssp\/changeset@2"; this alas-jssp reads version 1: update it$/,
  );
});

function lineOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AlasError) return error.message;
    throw error;
  }
  throw new Error('it was read');
}
