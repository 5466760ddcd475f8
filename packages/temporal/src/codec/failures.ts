import { DefaultFailureConverter } from '@temporalio/common';

/** Prepended to the bundle of workflows: whether its worker encrypts. */
declare const __alasEncrypted: boolean | undefined;

/** Outside of the bundle only encrypting processes load this file. */
const isEncrypted = typeof __alasEncrypted === 'undefined' || __alasEncrypted;

/** Converter of failures whose messages and stacks pass the codecs if payloads are encrypted. */
export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: isEncrypted,
});
