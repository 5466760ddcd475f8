import { describe, expect, it } from 'vitest';
import { readPaperClaims } from '../../src/harness/paper/claims.js';
import { claimedTables } from '../../src/report/claims-table.js';

describe('claimedTables', () => {
  it('marks every table as claimed, and has nothing of ours', () => {
    const claimed = claimedTables(readPaperClaims(), 'md', {});
    expect(claimed).toHaveLength(7);
    for (const { title } of claimed)
      expect(title).toMatch(/^Claimed in table \d+ of the paper, not/);
    expect(claimed[0].text).toContain(
      '| MAS GPT-4o | CrewAI | 25 | 57.1 | 33.3 | 13.3 | 75 | 31.1 |',
    );
    expect(claimed[0].text.split('\n')[0]).toContain('method (claimed)');
  });
});
