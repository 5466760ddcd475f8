import { join } from 'node:path';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import * as z from 'zod';
import { type Changeset, openChangeset } from './changeset.js';
import type { Change } from './diff.js';

const text = z.string('give a text');
const path = text.min(1, 'give a path');
const mode = z.int('give permissions as a number').min(0).max(0o777).optional();

/** Edits from a planner: untrusted input. */
const edit = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ op: z.literal('write'), path, text, mode }),
    z.strictObject({
      op: z.literal('write-bytes'),
      path,
      base64: z.base64('give Base64'),
      mode,
    }),
    z.strictObject({ op: z.literal('make-directory'), path }),
    z.strictObject({ op: z.literal('remove'), path }),
    z.strictObject({ op: z.literal('rename'), path, to: path }),
  ],
  { error: 'give an edit with op write, write-bytes, make-directory, remove or rename' },
);

/** A run has one changeset per name: steps that must not see each other's edits use several. */
const name = text.min(1, 'give a name').default('main');
const writeSchema = z.strictObject({
  changeset: name,
  edits: z.array(edit, 'give a list of edits'),
});
const applySchema = z.object({ changeset: name });

/** An edit for `changeset.write`. */
export type ChangesetEdit = z.infer<typeof edit>;

/** The output of the handlers of changesets: all changes so far, not those of the step alone. */
export interface ChangesetOutput {
  readonly changeset: string;
  readonly changes: readonly Change[];
  readonly diff: string;
}

/** The place of the changesets of runs. */
export interface ChangesetPlace {
  /** The directory whose files are changed. */
  readonly root: string;
  /** The parent directory of all changesets; not in the root. */
  readonly directory: string;
}

/** The part of a step's context that identifies its changeset and its edits. */
interface RunStep {
  readonly runId: string;
  readonly idempotencyKey: string;
}

/** The handlers and compensators of changesets, for the registry of a workflow. */
interface ChangesetRegistry {
  readonly handlers: Readonly<
    Record<
      'changeset.write' | 'changeset.apply',
      { run(input: unknown, context: RunStep): ChangesetOutput }
    >
  >;
  readonly compensators: Readonly<
    Record<
      'changeset.discard' | 'changeset.revert',
      {
        run(
          effect: { readonly idempotencyKey: string; readonly input: unknown },
          context: RunStep,
        ): void;
      }
    >
  >;
}

/** Opens a changeset of a run, for handlers that edit or read files directly. */
export function changesetOfRun(
  { root, directory }: ChangesetPlace,
  { runId, idempotencyKey }: RunStep,
  changeset = 'main',
): Changeset {
  // Encoded names contain no separators and no @, so no two changesets share a place.
  const own = `${encodeURIComponent(runId)}@${encodeURIComponent(changeset)}`;
  return openChangeset({ root, directory: join(directory, own), by: idempotencyKey });
}

/**
 * The built-in effect: handlers `changeset.write` (input `{ changeset?, edits }`) and
 * `changeset.apply` (`{ changeset? }`), each for tasks with the effect `compensable`, and their
 * compensators `changeset.discard` and `changeset.revert`. All are idempotent.
 */
export function changesetRegistry(place: ChangesetPlace): ChangesetRegistry {
  const nameIn = (input: unknown): string => check(applySchema, input).changeset;
  return {
    handlers: {
      'changeset.write': {
        run(input, context) {
          const { changeset: name, edits } = check(writeSchema, input);
          const changeset = changesetOfRun(place, context, name);
          // An interrupted run may have made some of the edits.
          changeset.undo(context.idempotencyKey);
          for (const one of edits) make(changeset, one);
          return { changeset: name, changes: changeset.changes(), diff: changeset.diff() };
        },
      },
      'changeset.apply': {
        run(input, context) {
          const name = nameIn(input);
          const changeset = changesetOfRun(place, context, name);
          const changes = changeset.apply();
          return { changeset: name, changes, diff: changeset.diff() };
        },
      },
    },
    compensators: {
      'changeset.discard': {
        run({ input, idempotencyKey }, context) {
          const changeset = changesetOfRun(place, context, nameIn(input));
          changeset.undo(idempotencyKey);
          if (changeset.changes().length === 0) changeset.discard();
        },
      },
      'changeset.revert': {
        run({ input }, context) {
          changesetOfRun(place, context, nameIn(input)).revert();
        },
      },
    },
  };
}

function make(changeset: Changeset, one: ChangesetEdit): void {
  switch (one.op) {
    case 'write':
      changeset.write(one.path, one.text, one.mode);
      break;
    case 'write-bytes':
      changeset.write(one.path, Buffer.from(one.base64, 'base64'), one.mode);
      break;
    case 'make-directory':
      changeset.makeDirectory(one.path);
      break;
    case 'remove':
      changeset.remove(one.path);
      break;
    case 'rename':
      changeset.rename(one.path, one.to);
  }
}

function check<T>(schema: z.ZodType<T>, input: unknown): T {
  const checked = checkJson(schema, input);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_edits', checked.fault);
}
