import { describe, expect, it } from 'vitest';
import { programPlaces } from '../../../src/pipeline/planners/command-words.js';

const windows = {
  system: 'win32' as const,
  path: 'C:\\Windows;;C:\\Program Files\\nodejs',
  extensions: '.COM;.EXE;.BAT;.CMD',
};
const linux = { system: 'linux' as const, path: '/usr/bin:/bin', extensions: '' };

describe('the places of a program', () => {
  it('are the folders of PATH, or the path itself', () => {
    expect(programPlaces('node', linux)).toEqual(['/usr/bin/node', '/bin/node']);
    expect(programPlaces('./mine', linux)).toEqual(['./mine']);
    expect(programPlaces('a\\b', linux)).toEqual(['/usr/bin/a\\b', '/bin/a\\b']);
  });

  it('have the extensions of Windows that start without a shell', () => {
    expect(programPlaces('node', windows)).toEqual([
      'C:\\Windows\\node.com',
      'C:\\Windows\\node.exe',
      'C:\\Program Files\\nodejs\\node.com',
      'C:\\Program Files\\nodejs\\node.exe',
    ]);
    expect(programPlaces('C:/Python/python', windows)).toEqual([
      'C:/Python/python.com',
      'C:/Python/python.exe',
    ]);
    expect(programPlaces('.\\mine.EXE', windows)).toEqual(['.\\mine.EXE']);
    // Windows has such a list after an extension was added by hand.
    expect(
      programPlaces('node', { ...windows, path: 'C:\\bin', extensions: '.COM;.EXE;' }),
    ).toEqual(['C:\\bin\\node.com', 'C:\\bin\\node.exe']);
    expect(programPlaces('python3.12', windows)[1]).toBe('C:\\Windows\\python3.12.exe');
  });
});
