import { readFileSync } from 'node:fs';

/** The first program of a README, and what it prints, by the block that follows. */
export interface ReadmeExample {
  readonly code: string;
  readonly printed: string;
}

export function readmeExample(file: string): ReadmeExample {
  const found = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(readFileSync(file, 'utf8'));
  if (found === null) throw new Error(`${file} has no program with what it prints`);
  return { code: found[1], printed: found[2] };
}
