/**
 * The same function, which computes its result once per object: several phases of a repair need the same facts about
 * their task. Results must not be changed.
 */
export function remember<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}
