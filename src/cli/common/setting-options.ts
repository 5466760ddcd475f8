import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import {
  hintFor,
  SETTING_GROUPS,
  type Setting,
  type SettingOption,
  unwrap,
} from '../../harness/run/setting.js';
import { RUN_DEFAULTS, RUN_SETTINGS } from '../../harness/run/spec.js';
import { collect } from './options.js';

/** Reads the argument of an option, after the value of an earlier one. */
export type Reader = (text: string, before: never) => unknown;

/** Adds an option for each setting of a run. `readers` read arguments that the schema alone does not explain, by flag. */
export function withSettings(
  command: Command,
  readers: Readonly<Record<string, Reader>> = {},
): Command {
  for (const setting of RUN_SETTINGS) {
    if (!hasOption(setting)) continue;
    const option = optionOf(setting);
    const reader = readers[option.long ?? ''];
    if (reader !== undefined) option.argParser(reader as Reader & ((text: string) => unknown));
    command.addOption(option.helpGroup(SETTING_GROUPS[setting.option.group]));
  }
  return command;
}

/** The values of options as the settings of a run, each at its path; options that were not given are absent. */
export function settingsFrom(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  for (const setting of RUN_SETTINGS) {
    const value = hasOption(setting) ? options[optionOf(setting).attributeName()] : undefined;
    if (value === undefined) continue;
    const keys = setting.path.split('.');
    const last = keys.pop() as string;
    let group = spec;
    for (const key of keys) {
      group[key] ??= {};
      group = group[key] as Record<string, unknown>;
    }
    group[last] = value;
  }
  return spec;
}

/**
 * The option of one setting of a run, for other commands with that setting.
 *
 * @param other help and default in words that replace those of `run`, and a schema with other limits
 */
function settingOption(path: string, other: { help?: string; schema?: z.ZodType } = {}): Option {
  const setting = RUN_SETTINGS.find((each) => each.path === path);
  if (setting === undefined || !hasOption(setting)) throw new Error(`${path} has no option`);
  const { schema = setting.schema, help } = other;
  const option = optionOf({ ...setting, schema });
  if (help !== undefined) option.default(undefined).description = help;
  return option;
}

/** Adds `--seed`. */
export function withSeed(command: Command): Command {
  return command.addOption(settingOption('seed').default(RUN_DEFAULTS.seed));
}

/** The option `--objective` of one instance. */
export function objectiveOption(): Option {
  return settingOption('objective', {
    help: 'objective to minimise (default: tardiness where jobs have due dates)',
  });
}

/** The option `--policy`. */
export function policyOption(more = ''): Option {
  const help = `repair policy: default, high-stability or a JSON file${more}`;
  return settingOption('disruption.policy', { help });
}

type OptionSetting = Setting & { readonly option: SettingOption };

function hasOption(setting: Setting): setting is OptionSetting {
  return setting.option !== undefined;
}

function optionOf({ option: { flags, help, usual }, schema }: OptionSetting): Option {
  const option = new Option(flags, help).default(undefined, usual ?? defaultOf(schema));
  const kind = unwrap(schema);
  if (kind instanceof z.ZodEnum) option.choices(kind.options.map(String));
  else if (kind instanceof z.ZodNumber) option.argParser((text) => numberOf(text, schema));
  else if (kind instanceof z.ZodArray) option.argParser<string[]>(collect);
  return option;
}

/** The default of a setting in words; undefined for none. */
function defaultOf(schema: z.ZodType): string | undefined {
  const { data } = schema.safeParse(undefined);
  return ['string', 'number'].includes(typeof data) || Array.isArray(data)
    ? String(data)
    : undefined;
}

function numberOf(text: string, schema: z.ZodType): number {
  const value = /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  const { error } = schema.safeParse(value);
  if (error !== undefined) throw new InvalidArgumentError(`${hintFor(error.issues[0])}.`);
  return value;
}
