import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyFor, readEnvironment } from '../../src/llm/keys.js';
import { temporaryDirectory } from '../temporary-directory.js';

describe('readEnvironment', () => {
  it('adds what a .env file says; what is set already wins unless it is empty', () => {
    const file = join(temporaryDirectory(), '.env');
    writeFileSync(
      file,
      '# keys\nOPENAI_API_KEY="from file"\nexport ANTHROPIC_API_KEY=a\nHOME=/x\n',
    );
    const environment = { HOME: '/root', OPENAI_API_KEY: '' };
    expect(readEnvironment(environment, file)).toEqual({
      HOME: '/root',
      OPENAI_API_KEY: 'from file',
      ANTHROPIC_API_KEY: 'a',
    });
  });

  it('needs no file, but says so if it cannot be read', () => {
    const directory = temporaryDirectory();
    expect(readEnvironment({ A: '1' }, join(directory, '.env'))).toEqual({ A: '1' });
    mkdirSync(join(directory, 'odd'));
    expect(() => readEnvironment({}, join(directory, 'odd'))).toThrow(
      /odd: the file cannot be read/,
    );
  });
});

describe('keyFor', () => {
  const environment = {
    OPENAI_API_KEY: ' sk-openai\n',
    DEEPSEEK_API_KEY: 'sk-deepseek',
    OPENAI_COMPATIBLE_API_KEY: 'sk-other',
  };

  it('takes the key of the provider, or of the host of a compatible server', () => {
    expect(keyFor({ provider: 'openai' }, environment)).toBe('sk-openai');
    const at = (url: string) => keyFor({ provider: 'openai-compatible', url }, environment);
    expect(at('https://api.deepseek.com/v1')).toBe('sk-deepseek');
    expect(at('http://127.0.0.1:8080/v1')).toBe('sk-other');
  });

  it('never gives the key of one provider to another', () => {
    const only = { OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-ant' };
    const target = {
      provider: 'openai-compatible',
      url: 'https://api.deepseek.com.evil.org',
    } as const;
    expect(keyFor(target, only)).toBe(null);
  });

  it('names the variable that is missing or no key, not what it holds', () => {
    expect(() => keyFor({ provider: 'anthropic' }, environment)).toThrow(
      /set ANTHROPIC_API_KEY in/,
    );
    const gemini = 'https://generativelanguage.googleapis.com/v1beta/openai';
    expect(() => keyFor({ provider: 'openai-compatible', url: gemini }, environment)).toThrow(
      'GEMINI_API_KEY',
    );
    const broken = { OPENAI_API_KEY: 'sk-secret\nX: y' };
    expect(() => keyFor({ provider: 'openai' }, broken)).toThrow(
      /^the value of OPENAI_API_KEY is no valid key/,
    );
  });
});
