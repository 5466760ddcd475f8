import type { Instance } from './instance.js';

/**
 * A copy of an instance whose arrays are in one SharedArrayBuffer: sending it to a worker thread shares the memory
 * instead of copying it.
 */
export function shareInstance(instance: Instance): Instance {
  let bytes = 0;
  mapArrays(instance, (array) => {
    bytes += alignedLength(array);
    return array;
  });
  const buffer = new SharedArrayBuffer(bytes);
  let position = 0;
  return mapArrays(instance, (array) => {
    const Type = array.constructor as Int32ArrayConstructor & Uint8ArrayConstructor;
    const moved = new Type(buffer, position, array.length);
    moved.set(array);
    position += alignedLength(array);
    return moved;
  });
}

/**
 * A copy of an instance in unshared memory, which the caller may change without affecting other users of the instance.
 */
export function copyInstance(instance: Instance): Instance {
  return mapArrays(instance, (array) => array.slice());
}

type NumberArray = Int32Array | Uint8Array;

/** The instance with each of its arrays replaced, always in the same order. */
function mapArrays(instance: Instance, replace: (array: NumberArray) => NumberArray): Instance {
  const map = (value: unknown): unknown => {
    if (value instanceof Int32Array || value instanceof Uint8Array) return replace(value);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)])),
    );
  };
  return map(instance) as Instance;
}

/** The length of an array in bytes, rounded up so that the next Int32Array can follow. */
function alignedLength(array: NumberArray): number {
  return (array.byteLength + 3) & ~3;
}
