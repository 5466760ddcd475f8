import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { checkSubmission } from '../../../src/harness/leaderboard/check-submission.js';
import { leaderboardJsonSchema } from '../../../src/harness/leaderboard/entry.js';
import { readLeaderboardEntry } from '../../../src/harness/leaderboard/standings.js';

const RESULTS = 'results/reference/leaderboard';
const names = readdirSync(join(RESULTS, 'entries'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replaceAll('\\', '/').replace('.json', ''));

// `npm run schemas` rewrites the file.
test('the published JSON Schema of entries is the one that they are read with', () => {
  const published = JSON.parse(readFileSync('schemas/leaderboard.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(leaderboardJsonSchema())));
});

test.each(names)('the entry %s is what its run says, and holds to the schema', (name) => {
  const file = join(RESULTS, 'entries', `${name}.json`);
  const entry = readLeaderboardEntry(file);
  // Only recorded answers keep none: their texts are of others.
  const withoutSchedules = name.startsWith('models/');
  expect(entry.schedules).toBe(withoutSchedules ? 'none' : 'judged');
  expect(entry).toEqual(checkSubmission(join(RESULTS, name), { withoutSchedules }).entry);
  const isValid = new Ajv2020({ strict: false }).compile(leaderboardJsonSchema());
  expect(isValid(JSON.parse(readFileSync(file, 'utf8'))), JSON.stringify(isValid.errors)).toBe(
    true,
  );
});

test('entries of recorded answers name the answers by their checksum, and no file of this machine', () => {
  const models = names.filter((name) => name.startsWith('models/'));
  expect(models.length).toBeGreaterThan(10);
  for (const name of models) {
    const { command, repair } = readLeaderboardEntry(join(RESULTS, 'entries', `${name}.json`));
    expect(repair).toBe(true);
    expect(command).toMatch(/transcripts:results\/answers\/[\w-]+\.jsonl#sha256=[0-9a-f]{64}\b/);
    const records = readFileSync(join(RESULTS, name, 'records.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const files = records.flatMap((line) => JSON.parse(line).llm.answer_files as string[]);
    const folders = files.map((file) => join(RESULTS, name, file.split('#', 1)[0], '..'));
    expect(new Set(folders)).toEqual(new Set([join('results', 'answers')]));
  }
});
