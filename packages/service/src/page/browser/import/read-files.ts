import type { ColumnsAnswer, ColumnsRequest } from '../../../api/import-schemas.js';
import { AnswerProblem, ask } from '../live/requests.js';
import { texts } from '../texts.js';
import type { DraftDocument, DraftTable } from './import-draft.js';

/** Prefixes of schemas, by kind of document. */
const DOCUMENTS = { calendar: 'alas-jssp/calendar@', map: 'alas-jssp/import-map@' } as const;

/**
 * Reads a dropped or chosen file: a table with its columns, a calendar or a mapping.
 *
 * @throws AnswerProblem for any other file
 */
export async function readDroppedFile(file: File): Promise<DraftTable | DraftDocument> {
  const { name } = file;
  if (/\.json$/i.test(name)) return readDocument(name, await file.text());
  const content = await base64Of(file);
  const body: ColumnsRequest = { files: [{ name, content }] };
  const answer = await ask<ColumnsAnswer>('import/columns', { method: 'POST', body });
  const [columns] = answer.files;
  return { kind: columns.kind, name, content, columns, chosen: {} };
}

function readDocument(name: string, text: string): DraftDocument {
  const document = parsed(text);
  const schema = String(document?.schema);
  for (const kind of ['calendar', 'map'] as const) {
    if (document !== null && schema.startsWith(DOCUMENTS[kind])) return { kind, name, document };
  }
  throw new AnswerProblem(0, 'not_understood', texts.importing.notUnderstood(name));
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
