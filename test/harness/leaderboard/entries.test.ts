import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { checkSubmission } from '../../../src/harness/leaderboard/check-submission.js';
import { leaderboardJsonSchema } from '../../../src/harness/leaderboard/entry.js';
import { readLeaderboardEntry } from '../../../src/harness/leaderboard/standings.js';

const RESULTS = 'results/reference/leaderboard';
const names = readdirSync(join(RESULTS, 'entries')).map((file) => file.replace('.json', ''));

// `npm run schemas` rewrites the file.
test('the published JSON Schema of entries is the one that they are read with', () => {
  const published = JSON.parse(readFileSync('schemas/leaderboard.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(leaderboardJsonSchema())));
});

test.each(names)('the entry %s is what its run says, and holds to the schema', (name) => {
  const file = join(RESULTS, 'entries', `${name}.json`);
  const entry = readLeaderboardEntry(file);
  expect(entry).toEqual(checkSubmission(join(RESULTS, name), { withoutSchedules: true }).entry);
  const isValid = new Ajv2020({ strict: false }).compile(leaderboardJsonSchema());
  expect(isValid(JSON.parse(readFileSync(file, 'utf8'))), JSON.stringify(isValid.errors)).toBe(
    true,
  );
});
