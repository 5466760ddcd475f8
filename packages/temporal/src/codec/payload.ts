import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';

const { Payload: Form } = proto.temporal.api.common.v1;

/** A payload that contains another one, as bytes of some encoding. */
export function wrap(encoding: string, data: Uint8Array, more: Payload['metadata'] = {}): Payload {
  return { metadata: { encoding: Buffer.from(encoding), ...more }, data };
}

/** The payload that {@link toBytes} wrote. */
export function unwrap(bytes: Uint8Array): Payload {
  return Form.decode(bytes);
}

/** The encoding of a payload. */
export function encodingOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.encoding ?? []).toString();
}

/** The bytes of a payload. */
export function dataOf({ data }: Payload): Uint8Array {
  return data ?? new Uint8Array();
}

/** A payload with its metadata, as one piece. */
export function toBytes(payload: Payload): Uint8Array {
  return Form.encode(payload).finish();
}
