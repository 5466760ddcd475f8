import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { unpackLog } from '../../src/log/unpack-log.js';

it('unpacks an export up to its limit, and refuses one that expands beyond', () => {
  const packed = gzipSync(Buffer.alloc(5000, 0x20));
  expect(packed.length).toBeLessThan(100);
  expect(unpackLog(packed, 'a.gz', 5000)).toHaveLength(5000);
  const refusal = 'a.gz: its compressed content has more than 4999 bytes; unpack it before';
  expect(() => unpackLog(packed, 'a.gz', 4999)).toThrow(refusal);
});
