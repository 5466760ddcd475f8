import { DefaultFailureConverter } from '@temporalio/common';

/** Converter of failures of clients and activities that encrypt: messages and stacks go through the codecs. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
