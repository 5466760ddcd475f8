import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ToolCatalogue, toCatalogue } from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import { sha256 } from '@alas-jssp/core/sha256';
import type * as z from 'zod';
import { type AgentFile, agentFileSchema } from '../factory/agent-file.js';
import { specificationSchema } from '../specification/specification.js';
import { compileTemplate } from '../template/compile.js';
import { templateSchema } from '../template/template.js';
import { type DraftFile, draftFileSchema } from './draft-file.js';
import { DRAFT_FILES, type SavedDraft } from './draft-folder.js';

/** Settings for reading a draft. */
export interface ReadDraftOptions {
  /** Files that were changed after the draft was written: `allow` reads them, if the reader judges the draft again before it is used. Default `refuse`. */
  readonly edited?: 'refuse' | 'allow' | undefined;
}

/**
 * Reads the draft in a folder.
 *
 * @throws InputError with the file and the JSON path: `no_draft`, `bad_draft`, `edited_draft`
 */
export function readDraft(dir: string, { edited = 'refuse' }: ReadDraftOptions = {}): SavedDraft {
  const file = readJson(dir, DRAFT_FILES.draft, draftFileSchema);
  const changed = editedFiles(dir, file);
  if (edited === 'refuse' && changed.length > 0) {
    const hint = `restore it, or draft the change: alas-jssp workflow draft --from ${dir} --change "…"`;
    const problem = 'it was changed after the draft was checked';
    throw new InputError('edited_draft', problem, hint, { file: join(dir, changed[0]) });
  }
  const catalogue = readTools(dir);
  const isWorkflow = existsSync(join(dir, DRAFT_FILES.template));
  const specification = isWorkflow
    ? readJson(dir, DRAFT_FILES.specification, specificationSchema)
    : null;
  const template = isWorkflow ? readJson(dir, DRAFT_FILES.template, templateSchema) : null;
  const workflow =
    specification !== null && template !== null
      ? compileTemplate(template, specification, catalogue).workflow
      : null;
  const { name, passed, planner, agents, reviewer, findings, undo } = file;
  return {
    directory: dir,
    file,
    name,
    text: readText(dir, DRAFT_FILES.task),
    passed,
    catalogue,
    models: { planner, agents: agents ?? planner, reviewer },
    specification,
    template,
    workflow,
    ...readAgents(dir),
    undo,
    findings,
    edited: changed,
  };
}

function readTools(dir: string): ToolCatalogue {
  const file = join(dir, DRAFT_FILES.tools);
  return toCatalogue(parseJson(Buffer.from(readText(dir, DRAFT_FILES.tools)), file), file);
}

function readAgents(dir: string): { agents: AgentFile[]; files: Record<string, string> } {
  const at = join(dir, DRAFT_FILES.agents);
  const names = existsSync(at) ? readdirSync(at).sort() : [];
  const isAgent = (name: string) => name.endsWith('.json');
  const agents = names
    .filter(isAgent)
    .map((name) => readJson(dir, `${DRAFT_FILES.agents}/${name}`, agentFileSchema));
  const code = names.filter((name) => !isAgent(name));
  const files = code.map((name) => [name, readText(dir, `${DRAFT_FILES.agents}/${name}`)]);
  return { agents, files: Object.fromEntries(files) };
}

/** The names of files whose content is not that of the draft, also of those that came or went. */
function editedFiles(dir: string, { digests }: DraftFile): string[] {
  const at = join(dir, DRAFT_FILES.agents);
  const found = existsSync(at)
    ? readdirSync(at).map((name) => `${DRAFT_FILES.agents}/${name}`)
    : [];
  const extra = found.filter((name) => !Object.hasOwn(digests, name));
  const changed = Object.entries(digests).filter(([name, digest]) => {
    const path = join(dir, name);
    return !existsSync(path) || sha256(readFileSync(path)) !== digest;
  });
  return [...changed.map(([name]) => name), ...extra];
}

function readJson<T>(dir: string, name: string, schema: z.ZodType<T>): T {
  const file = join(dir, name);
  const checked = checkJson(schema, parseJson(Buffer.from(readText(dir, name)), file));
  if (checked.fault !== undefined) throw faultError('bad_draft', checked.fault, file);
  return checked.data;
}

function readText(dir: string, name: string): string {
  const file = join(dir, name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const [problem, hint] =
      name === DRAFT_FILES.draft
        ? [
            'there is no draft',
            'name a folder that `alas-jssp workflow draft --out` wrote; an interrupted draft resumes with the same command',
          ]
        : [`the file cannot be read (${code})`, 'restore it, or draft again'];
    throw new InputError('no_draft', problem, hint, { file });
  }
}
