import type { InputError } from '@alas-jssp/core/errors';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { badShop } from './shop-machines.js';
import { SHOP_KEYS, SHOP_SCHEMA } from './shop-schema.js';

/**
 * The error for a document of another version that has keys of `instance@2`; undefined if it has none. It explains why
 * these keys are unknown there.
 */
export function otherVersion(document: unknown, file: string | undefined): InputError | undefined {
  if (!isObject(document)) return undefined;
  const error = (key: string, path: JsonPath) => {
    const found = document.schema === undefined ? 'none' : JSON.stringify(document.schema);
    const problem = `the key "${key}" is of ${SHOP_SCHEMA}, and the schema is ${found}`;
    return badShop(problem, `give "schema": "${SHOP_SCHEMA}"`, path, file);
  };
  const key = SHOP_KEYS.document.find((one) => document[one] !== undefined);
  if (key !== undefined) return error(key, []);
  const jobs = Array.isArray(document.jobs) ? document.jobs : [];
  for (const [j, job] of jobs.entries()) {
    const operations = isObject(job) && Array.isArray(job.operations) ? job.operations : [];
    for (const [i, operation] of operations.entries()) {
      const own = SHOP_KEYS.operation.find((one) => isObject(operation) && one in operation);
      if (own !== undefined) return error(own, ['jobs', j, 'operations', i]);
    }
  }
  return undefined;
}

/** Refuses a name that the records of schemas leave out without a word. @throws InputError `bad_instance` */
export function refusePrototypeKeys(
  value: unknown,
  path: JsonPath,
  file: string | undefined,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw badShop('a key is "__proto__"', 'use another name', path, file, '__proto__');
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'object') continue;
    refusePrototypeKeys(item, [...path, Array.isArray(value) ? Number(key) : key], file);
  }
}
