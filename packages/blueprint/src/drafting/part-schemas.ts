import { describeFound, formatPath, valueAt } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type * as z from 'zod';
import { SPECIFICATION_PARTS } from '../specification/specification.js';
import { TEMPLATE_PARTS } from '../template/template.js';
import type { DraftFinding, PartName } from './part.js';

/** The parts of a specification, in the order in which a planner is asked for them. */
export const SPECIFICATION_PART_NAMES = Object.keys(
  SPECIFICATION_PARTS,
) as (keyof typeof SPECIFICATION_PARTS)[];

/** The family and the node of a part: `node/refund` → `node`, `refund`. */
export function familyOfPart(part: PartName): { family: string; id: string | undefined } {
  const at = part.indexOf('/');
  return at < 0
    ? { family: part, id: undefined }
    : { family: part.slice(0, at), id: part.slice(at + 1) };
}

/** The schema of the answer to a part; undefined for the parts of the factory. */
export function schemaOfPart(part: PartName): z.ZodType | undefined {
  const { family } = familyOfPart(part);
  const schemas: Readonly<Record<string, z.ZodType>> = {
    ...SPECIFICATION_PARTS,
    ...TEMPLATE_PARTS,
  };
  return Object.hasOwn(schemas, family) ? schemas[family] : undefined;
}

/** The problems of an answer that does not match the schema of its part. */
export function badPart(part: PartName, answer: Json, error: z.ZodError): DraftFinding[] {
  return error.issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
    const found = describeFound(valueAt(answer, issue.path));
    const keys = unknown?.map((key) => JSON.stringify(key)).join(', ');
    const problem = keys === undefined ? found : `unknown keys: ${keys}`;
    return {
      code: 'bad_part',
      severity: 'error',
      part,
      path: formatPath(issue.path),
      message: `the answer does not have the form of the part: ${problem}`,
      hint: keys === undefined ? issue.message : `omit ${keys}`,
    };
  });
}

/** The finding for a part that has no answer. */
export function missingPart(part: PartName): DraftFinding {
  return {
    code: 'missing_part',
    severity: 'error',
    part,
    path: '$',
    message: `there is no answer to the part ${part}`,
    hint: `answer the part ${part} with a JSON object of its schema`,
  };
}
