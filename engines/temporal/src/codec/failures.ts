import { DefaultFailureConverter } from '@temporalio/common';

/** Set in front of the bundle of workflows by workers that encrypt. */
declare const __alasEncrypted: boolean | undefined;

/** Whether messages and stacks of failures go through the codecs: here, in the sandbox of workflows. */
const isEncrypted = typeof __alasEncrypted !== 'undefined' && __alasEncrypted;

/** Converter of failures inside the sandbox; SDK's name. */
export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: isEncrypted,
});
