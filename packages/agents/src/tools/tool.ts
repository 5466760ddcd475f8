import * as z from 'zod';

/** The name and version of the JSON format of tool catalogues. */
export const TOOLS_SCHEMA = 'alas-jssp/tools@1';

const name = z.string('give a name').min(1, 'give a name');

/** A JSON Schema of an object. */
const objectSchema = z.record(z.string(), z.json(), 'give a JSON Schema of an object');

/**
 * The source of a value: a reference, such as `input.order`, or `{ "value": … }` for a constant. Which references exist
 * depends on the place: `input`, `outputs.NODE` in a workflow, `input`, `output` and `key` in an undo.
 */
export const valueSource = z.union(
  [name, z.strictObject({ value: z.json() })],
  'give a reference, such as "input.order", or { "value": … }',
);

/** Sources of the members of an object, by key. */
export const mappingSchema = z.record(name, valueSource, 'give an object of references by key');

/**
 * The effect of a call on the records of the tool's system. Trial systems are made from it, and compare the state before
 * a call with the state after its undo.
 */
const recordEffect = z.strictObject({
  does: z.enum(['create', 'update', 'delete', 'read'], 'give create, update, delete or read'),
  /** The kind of the records, such as `refund`. */
  record: name,
  /** The id of the record: `output.KEY` for an id that the system makes, `input.KEY` for a given one. */
  id: name,
  /** Fields that a create or an update sets, by name: `input.KEY`, or a constant. */
  set: mappingSchema.optional(),
  /** Keys of the output: `before.FIELD`, the value before the call, or `now.FIELD`, the value after it. */
  returns: z.record(name, name).optional(),
});

/** A tool: an operation of a system outside of the workflow. */
export const toolSchema = z.strictObject({
  /** Unique in its catalogue; letters, digits, `-`, `_` and `.`. */
  name: z.string().regex(/^[A-Za-z][\w.-]*$/, 'use letters, digits, -, _ and .'),
  description: z.string('give a sentence'),
  /** The system that the tool belongs to, such as `payments`. */
  system: name.optional(),
  input: objectSchema,
  output: objectSchema,
  /** Whether a call only reads, changes something that can be undone, or changes it for good. */
  access: z.enum(['read', 'change', 'irreversible'], 'give read, change or irreversible'),
  /** The permission that a role needs to call the tool. Default: the tool's name. */
  capability: name.optional(),
  /** Whether calls with equal idempotency keys have one effect and one answer. Default: false. */
  idempotent: z.boolean().default(false),
  /** Codes of errors after which nothing has changed, such as `Declined`: there is nothing to undo then. */
  refusals: z.array(name).default([]),
  records: z.array(recordEffect).default([]),
  /** The undo that the owner of the tool declares: another tool, with sources `input.KEY`, `output.KEY`, `key`. */
  inverse: z.strictObject({ tool: name, input: mappingSchema }).optional(),
  /** Outputs of trials, for tools without records. Default: values that the output schema allows. */
  examples: z.array(z.json()).default([]),
});

/** The name of the environment variable with the bearer token that HTTP requests carry. Catalogues hold no secrets. */
const environmentVariable = z
  .string('give the name of an environment variable')
  .regex(/^[A-Za-z_]\w*$/, 'give the name of an environment variable');

/** A catalogue of tools, and of where their implementations are. Paths are relative to its file. */
export const catalogueSchema = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(TOOLS_SCHEMA, `give "${TOOLS_SCHEMA}"`),
  tools: z.array(toolSchema, 'give a list of tools'),
  /**
   * The implementation: an ES module that exports `createTools()`; an MCP server, by its command or its address with
   * `http`; or an HTTP service with an OpenAPI document. Without it the tools exist in trials only.
   */
  implementation: z
    .union(
      [
        z.strictObject({ module: name }),
        z.strictObject({
          mcp: name,
          /** Where the command starts. Default: the directory of the catalogue. */
          directory: name.optional(),
          token: environmentVariable.optional(),
        }),
        z.strictObject({ openapi: name, url: name, token: environmentVariable.optional() }),
      ],
      'give { "module": FILE }, { "mcp": COMMAND or URL } or { "openapi": FILE, "url": URL }',
    )
    .optional(),
  /** The records of a trial system before the first call: by kind, each with its `id`. */
  trial: z
    .record(name, z.array(z.looseObject({ id: z.string('give the id as a text') })))
    .default({}),
});

export type Tool = z.infer<typeof toolSchema>;
export type ToolCatalogue = z.infer<typeof catalogueSchema>;
export type ToolsImplementation = NonNullable<ToolCatalogue['implementation']>;
export type Mapping = z.infer<typeof mappingSchema>;
export type ValueSource = z.infer<typeof valueSource>;

/** The permission that a role needs to call a tool. */
export function capabilityOf({ name, capability = name }: Tool): string {
  return capability;
}
