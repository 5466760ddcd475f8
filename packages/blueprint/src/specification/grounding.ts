import type { DraftFinding } from '../drafting/part.js';
import type { Specification } from './specification.js';

/** Finds statements, numbers and names of a specification that are neither in the text nor assumed. */
export function checkGrounding(_specification: Specification, _text: string): DraftFinding[] {
  return [];
}
