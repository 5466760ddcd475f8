import type { CheckKind } from '@alas-jssp/workflow';

/** A kind of validation: a row of SagaLLM's table 3 (Chang and Geng 2025), doi:10.14778/3750601.3750611. */
interface KindOfValidation {
  /** Judged by code, or by a model. */
  readonly by: 'code' | 'model';
  /** Of outputs before they are committed, or of inputs before they are delivered. */
  readonly of: 'output' | 'input';
  /** The kind of its findings. */
  readonly check: CheckKind;
  /** The question that it answers. */
  readonly asks: string;
}

/** SagaLLM's ten kinds of validation. */
export const VALIDATOR_KINDS = {
  syntactic: {
    by: 'code',
    of: 'output',
    check: 'syntax',
    asks: 'Does the value match its JSON Schema?',
  },
  semantic: {
    by: 'model',
    of: 'output',
    check: 'semantics',
    asks: 'Does the value mean what the statement demands?',
  },
  factual: {
    by: 'model',
    of: 'output',
    check: 'facts',
    asks: 'Does the value agree with the known facts, and claim nothing that they contradict?',
  },
  constraint: {
    by: 'code',
    of: 'output',
    check: 'constraint',
    asks: 'Does a condition hold?',
  },
  reasoning: {
    by: 'model',
    of: 'output',
    check: 'reasoning',
    asks: 'Do the reasons support the decision, each step by the one before?',
  },
  dependency: {
    by: 'code',
    of: 'input',
    check: 'dependency',
    asks: 'Are the outputs of the nodes before committed, and do their conditions hold?',
  },
  consistency: {
    by: 'code',
    of: 'input',
    check: 'consistency',
    asks: 'Do places in different outputs have the same format?',
  },
  temporal: {
    by: 'code',
    of: 'input',
    check: 'order',
    asks: 'Did the nodes end in this order?',
  },
  agreement: {
    by: 'code',
    of: 'input',
    check: 'agreement',
    asks: 'Do several agents agree on a shared value?',
  },
  boundary: {
    by: 'code',
    of: 'input',
    check: 'dependency',
    asks: 'Are all nodes of a transaction committed, or none?',
  },
} as const satisfies Readonly<Record<string, KindOfValidation>>;

export type ValidatorKind = keyof typeof VALIDATOR_KINDS;
