import type { Instance } from './instance.js';

/**
 * A copy of an instance whose arrays lie in one SharedArrayBuffer: sending it to a worker thread
 * then shares the memory instead of copying it.
 */
export function shareInstance(instance: Instance): Instance {
  const arrays: (Int32Array | Uint8Array)[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Int32Array || value instanceof Uint8Array) arrays.push(value);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(instance);
  const bytes = arrays.reduce((sum, array) => sum + alignedLength(array), 0);
  const buffer = new SharedArrayBuffer(bytes);
  let position = 0;
  const move = (value: unknown): unknown => {
    if (value instanceof Int32Array || value instanceof Uint8Array) {
      const Type = value.constructor as Int32ArrayConstructor & Uint8ArrayConstructor;
      const moved = new Type(buffer, position, value.length);
      moved.set(value);
      position += alignedLength(value);
      return moved;
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, move(item)])),
    );
  };
  return move(instance) as Instance;
}

/** The length of an array in bytes, rounded up so that the next Int32Array can follow. */
function alignedLength(array: Int32Array | Uint8Array): number {
  return (array.byteLength + 3) & ~3;
}
