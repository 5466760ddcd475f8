import { formatPath } from '@alas-jssp/core/json-path';
import { checkWorkflow, type Finding, workflowSchema } from '@alas-jssp/workflow';
import type { DraftFinding, PartName } from '../drafting/part.js';
import type { CompiledTemplate } from '../template/compile.js';
import { compensatorName } from '../template/node-policies.js';
import type { Template } from '../template/template.js';

/** Codes of the checker of workflows for which the checks of drafts have findings with more exact hints. */
const REPLACED: readonly string[] = [
  'reference_may_miss',
  'irreversible_retry',
  'no_compensation',
  'irreversible_not_last',
  'missing_handler',
  'missing_compensator',
];

/** Codes whose part differs from that of their path. */
const PARTS: Readonly<Record<string, PartName>> = {
  unreachable: 'edges',
  no_branches: 'edges',
  no_default: 'edges',
  two_defaults: 'edges',
  cycle: 'edges',
  reference_not_before: 'edges',
  duplicate_id: 'nodes',
};

/** The findings of the checker of workflows about the compiled workflow, each with its part of the draft. */
export function checkCompiled(compiled: CompiledTemplate, template: Template): DraftFinding[] {
  const { workflow, partOf } = compiled;
  const parsed = workflowSchema.safeParse(workflow);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => {
      const place = formatPath(path);
      const part = partOf(place);
      return {
        code: 'bad_part',
        severity: 'error',
        part,
        path: placeInPart(place, part),
        message: 'this has no counterpart in a workflow',
        hint: message,
      };
    });
  }
  const handlers = Object.fromEntries(
    template.nodes.map(({ id, work }) => [id, { kind: work === 'compute' ? 'pure' : 'external' }]),
  ) as Record<string, { kind: 'pure' | 'external' }>;
  const compensators = Object.fromEntries(
    template.nodes.map(({ id }) => [compensatorName(id), {}]),
  );
  return checkWorkflow(workflow, { handlers, compensators })
    .filter(({ code }) => !REPLACED.includes(code))
    .map((finding) => inDraft(finding, partOf));
}

function inDraft(finding: Finding, partOf: (path: string) => PartName): DraftFinding {
  const { code, severity, path, message, hint } = finding;
  const own = partOf(path);
  const part = PARTS[code] ?? own;
  const place = part === own ? placeInPart(path, part) : '$';
  return { code, severity, part, path: place, message, hint };
}

/** The place of a value of the workflow in its part. */
function placeInPart(path: string, part: PartName): string {
  if (part.startsWith('node/')) {
    const inside = path
      .replace(/^\$\.nodes\[\d+\]/, '$')
      .replace(/^\$\.body\.nodes\[\d+\]/, '$')
      .replace(/^\$\.io\.output/, '$.output')
      .replace(/^\$\.io\.input/, '$.input');
    return inside.startsWith('$.policies') || inside.startsWith('$.logSchemas') ? '$' : inside;
  }
  if (part === 'edges') return path.replace(/\.guard$/, '.when').replace(/\.kind$/, '');
  return part === 'nodes' && path.startsWith('$.nodes') ? path : '$';
}
