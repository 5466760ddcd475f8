import * as z from 'zod';

const argument = z.string('give the name of an argument').min(1, 'give the name of an argument');

/** The effect of a tool on files, and the arguments that name them. */
const fileTool = z.discriminatedUnion(
  'does',
  [
    z.strictObject({ does: z.literal('write'), path: argument, content: argument }),
    z.strictObject({ does: z.literal('edit'), path: argument, edits: argument.optional() }),
    z.strictObject({ does: z.literal('create-directory'), path: argument }),
    z.strictObject({ does: z.literal('move'), source: argument, destination: argument }),
    z.strictObject({ does: z.literal('delete'), path: argument }),
  ],
  'give "does": write, edit, create-directory, move or delete',
);

/** The settings of the compensation for files. */
export const filesSettings = z.strictObject({
  /** The directories that an undo may touch. */
  roots: z
    .array(z.string('give a directory').min(1, 'give a directory'), 'give a list of directories')
    .min(1, 'give at least one directory'),
  /** More contents than this, in bytes, cannot be kept: such calls are refused. */
  largest: z.int('give a number of bytes').positive('give a number above 0').default(67_108_864),
  /** Tools by name. Default: those of `@modelcontextprotocol/server-filesystem`. */
  tools: z.record(z.string(), fileTool).default({
    write_file: { does: 'write', path: 'path', content: 'content' },
    edit_file: { does: 'edit', path: 'path', edits: 'edits' },
    create_directory: { does: 'create-directory', path: 'path' },
    move_file: { does: 'move', source: 'source', destination: 'destination' },
  }),
});

export type FilesSettings = z.infer<typeof filesSettings>;
export type FileTool = FilesSettings['tools'][string];
