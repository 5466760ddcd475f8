import { DefaultFailureConverter } from '@temporalio/common';

/** Set in front of the bundle of workflows: whether its worker encrypts. */
declare const __alasEncrypted: boolean | undefined;

/** Outside of the bundle only those who encrypt load this file. */
const isEncrypted = typeof __alasEncrypted === 'undefined' || __alasEncrypted;

/** Converter of failures whose messages and stacks go through the codecs where payloads are encrypted. */
export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: isEncrypted,
});
