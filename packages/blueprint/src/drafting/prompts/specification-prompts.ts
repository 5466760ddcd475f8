import type { Json } from '@alas-jssp/workflow';
import { systemsOf, ungroundedValues } from '../../specification/grounding.js';
import { readSpecificationParts } from '../assemble-draft.js';
import { listOf } from '../part-plan.js';
import {
  bullets,
  example,
  json,
  type PromptFacts,
  section,
  taskSection,
  type WritePrompt,
} from './prompt.js';

/** The prompts of the parts of a specification, by part. */
export const SPECIFICATION_PROMPTS: Readonly<Record<string, WritePrompt>> = {
  objectives: (facts) =>
    taskSection(facts) +
    section(
      'Question',
      'Give a short title of the process, and its objectives: what is achieved when it has run well. One to five of them.',
    ) +
    example({
      title: 'Loan of a book',
      objectives: [
        {
          id: 'lend',
          text: 'The reader has the book.',
          source: 'We lend the book to the reader.',
        },
      ],
    }),
  entities: (facts) =>
    taskSection(facts) +
    section(
      'Question',
      'List the entities: the kinds of things that the process keeps records of, such as an order or a person, with the fields that the text names.',
    ) +
    example({
      entities: [
        {
          id: 'book',
          name: 'book',
          fields: ['title', 'reader'],
          source: 'We lend the book to the reader.',
        },
      ],
    }),
  inputs: (facts) =>
    taskSection(facts) +
    section('Entities', bullets(describeItems(facts, 'entities', ['name', 'fields']))) +
    section(
      'Question',
      'List the inputs of one run of the process: the values that are known before it starts and differ from case to case. Fixed values of the text, such as limits, are no inputs, and neither are values that a step finds out. A list of objects has the fields of its items in "items". "example" is a value for trials.',
    ) +
    example({
      inputs: [
        { name: 'reader', type: 'string', description: 'The id of the reader.', example: 'R-1' },
        {
          name: 'books',
          type: 'list',
          items: { book: 'string', days: 'integer' },
          description: 'The books, and for how many days.',
          example: [{ book: 'B-1', days: 14 }],
        },
      ],
    }),
  operations: (facts) =>
    taskSection(facts) +
    section('Tools', bullets(toolLines(facts))) +
    section(
      'Question',
      `List the operations of the process in their order: each one action on one system, one decision, or one computation. "access" is:
- "compute": computes something from what is known; "decide": a judgement that needs a person's or a model's sense
- "read": reads from a system; "change": changes something that can be undone; "irreversible": changes something for good, such as a sent message
"undo" says how the text undoes it, or is null. Checks of conditions are no operations.`,
    ) +
    example({
      operations: [
        {
          id: 'lend',
          does: 'Lends the book to the reader.',
          system: 'library',
          access: 'change',
          undo: null,
          source: 'We lend the book to the reader.',
        },
      ],
    }),
  constraints: (facts) =>
    taskSection(facts) +
    operationSection(facts) +
    section(
      'Question',
      `List the constraints: every limit, condition, deadline, order, approval and prohibition in the text, each as one item. "scope" is "global" for the whole process, "operation" for single operations, "preference" for a wish that may be given up. "operations" are the ids of the operations that it limits; an empty list means all.`,
    ) +
    example({
      constraints: [
        {
          id: 'most-books',
          scope: 'operation',
          text: 'A reader has at most five books.',
          operations: ['lend'],
          source: 'Nobody takes more than five books.',
        },
      ],
    }),
  disruptions: (facts) =>
    taskSection(facts) +
    operationSection(facts) +
    section(
      'Question',
      `List the disruptions that the text names and the process must survive: "failure" of an operation or a system, "timeout", "rejection" by a person or a rule, "crash" of the computer, "change" of the data in between, "other". "operation" is the id of the operation that it hits, or null for any.`,
    ) +
    example({
      disruptions: [
        {
          id: 'library-down',
          kind: 'failure',
          text: 'The library does not answer.',
          operation: 'lend',
          source: 'If the library does not answer, we try again.',
        },
      ],
    }),
  questions: (facts) =>
    taskSection(facts) +
    section('Statements without a sentence of the text', bullets(assumedItems(facts))) +
    section('Numbers and names that are not in the text', bullets(unknownValues(facts))) +
    section(
      'Question',
      `List the open questions: what the text leaves open and would change the process, each with the answer that you assume. List the assumptions: one for every statement above that has no sentence of the text, and one for every number or name above that is not in the text, with these numbers and names in "values".`,
    ) +
    example({
      questions: [
        {
          id: 'lost-book',
          question: 'What happens if the book is lost?',
          assumed: 'A person takes over.',
        },
      ],
      assumptions: [
        {
          id: 'loan-days',
          text: 'A loan lasts 14 days.',
          reason: 'The text gives no period.',
          values: ['14'],
        },
      ],
    }),
};

/** The operations as facts for later parts. */
export function operationSection(facts: PromptFacts): string {
  return section(
    'Operations',
    bullets(describeItems(facts, 'operations', ['does', 'system', 'access', 'undo'])),
  );
}

/** The items of a list, each with its id and some of its keys. */
export function describeItems(
  { parts }: Pick<PromptFacts, 'parts'>,
  list: string,
  keys: readonly string[],
): string[] {
  return listOf(parts, list).map((item) => {
    const told = keys.flatMap((key) => {
      const value = item[key];
      const isEmpty = value === null || value === undefined;
      return isEmpty ? [] : [`${key}: ${typeof value === 'string' ? value : json(value)}`];
    });
    return `${String(item.id ?? item.name)}: ${told.join('; ')}`;
  });
}

/** One line for each tool. */
export function toolLines({ catalogue }: Pick<PromptFacts, 'catalogue'>): string[] {
  return catalogue.tools.map(
    ({ name, system, access, description }) =>
      `${name}${system === undefined ? '' : ` (system ${system})`}, ${access}: ${description}`,
  );
}

const SPECIFIED = ['objectives', 'entities', 'operations', 'constraints', 'disruptions'] as const;

/** The statements of the specification that have no source. */
function assumedItems({ parts }: PromptFacts): string[] {
  return SPECIFIED.flatMap((list) =>
    listOf(parts, list)
      .filter((item) => item.source === null)
      .map((item) => `${String(item.id)}: ${textOf(item)}`),
  );
}

function textOf(item: Record<string, Json>): string {
  return String(item.text ?? item.does ?? item.name ?? '');
}

/** The numbers and names of the answers so far that are not in the text. */
function unknownValues({ parts, text, catalogue }: PromptFacts): string[] {
  const specification = readSpecificationParts({
    ...parts,
    questions: { questions: [], assumptions: [] },
  });
  if (specification === undefined) return [];
  return ungroundedValues(specification, text, systemsOf(catalogue));
}
