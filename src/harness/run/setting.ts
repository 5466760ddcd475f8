import * as z from 'zod';

/** The effect of a setting: on the set of records, their results, saved files, or only on the execution. */
export type SettingScope = 'records' | 'results' | 'files' | 'execution';

/** The headings of the help, in its order. */
export const SETTING_GROUPS = {
  what: 'What to run:',
  planners: 'Planners and models:',
  repair: 'Disruption, repair and search:',
  budgets: 'Budgets and processors:',
  output: 'Output:',
  resuming: 'Resuming and comparing:',
} as const;

/** The option of the command line for a setting. Its argument is read and checked as the schema of the setting says. */
export interface SettingOption {
  /** Flag and argument, such as `--rounds <count>`. */
  readonly flags: string;
  readonly group: keyof typeof SETTING_GROUPS;
  /** One line of help, without the default. */
  readonly help: string;
  /** The default in words; omitted if the value in the schema says it. */
  readonly usual?: string;
}

/** Metadata of a setting in the schema of a spec. */
export interface SettingMeta {
  readonly scope: SettingScope;
  /** The setting in words, such as `time limit`; omitted if its key is clear. */
  readonly words?: string;
  /** The unit of its values. */
  readonly unit?: string;
  /** Omitted if the option of another setting also sets this one. */
  readonly option?: SettingOption;
}

/** The metadata of all settings, by schema. */
export const settingMeta = z.registry<SettingMeta>();

/** A setting of a spec: its path, its schema and its metadata. */
export interface Setting extends SettingMeta {
  /** Its path in the spec, such as `disruption.policy`. */
  readonly path: string;
  readonly words: string;
  readonly schema: z.ZodType;
}

/** The settings of a schema, in its order. */
export function settingsOf(schema: z.ZodType, path = ''): Setting[] {
  const meta = settingMeta.get(schema);
  if (meta !== undefined) return [{ words: path, ...meta, path, schema }];
  return Object.entries(shapeOf(schema)).flatMap(([key, inner]) =>
    settingsOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

/** The members of the object at a path of a schema; empty if there is none. */
export function shapeAt(schema: z.ZodType, path: readonly PropertyKey[]): SchemaShape {
  return path.reduce<SchemaShape>((shape, key) => shapeOf(shape[String(key)]), shapeOf(schema));
}

type SchemaShape = Readonly<Record<string, z.ZodType>>;

function shapeOf(schema: z.ZodType): SchemaShape {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  // A budget may be a text or an object: use the object.
  return inner instanceof z.ZodUnion
    ? Object.assign({}, ...(inner.options as z.ZodType[]).map(shapeOf))
    : {};
}

/** The hint for an issue of a value: from the schema, or the expected kind of value. */
export function hintFor(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Invalid input')) return issue.message;
  if (issue.code !== 'invalid_type') return 'see RunSpec for what is expected';
  return `use ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
}

/** A schema without defaults, transformations and permission to be absent. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodReadonly;
  return isWrapped ? unwrap(schema.unwrap() as z.ZodType) : schema;
}
