import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages } from '../../scripts/packages.mjs';
import { linkPackages } from '../link-packages.js';
import { temporaryDirectory } from '../temporary-directory.js';
import { readmeExample } from './readme-example.js';

/** Their examples need a server: release/test runs that of the service. No test runs that of Temporal. */
const WITH_SERVER = ['@alas-jssp/service', '@alas-jssp/temporal'];

const packages = publishedPackages().filter(({ folder }) => folder !== '.');

describe.each(packages)('the README of $manifest.name', ({ folder, manifest }) => {
  const readme = join(folder, 'README.md');

  it('says what the package is, how it is installed, and where to read on', () => {
    const text = readFileSync(readme, 'utf8');
    expect(text).toMatch(/^# /);
    expect(text).toMatch(new RegExp(`npm install .*${manifest.name}\\b`));
    expect(text).toMatch(/\]\(\.\.\/\.\.\/docs\//);
    expect(readmeExample(readme).code).toContain(`'${manifest.name}`);
  });

  it.skipIf(WITH_SERVER.includes(manifest.name))('has a program that prints what it shows', () => {
    const { code, printed } = readmeExample(readme);
    const cwd = temporaryDirectory();
    linkPackages(cwd);
    writeFileSync(join(cwd, 'main.mjs'), code);
    expect(execFileSync(process.execPath, ['main.mjs'], { cwd, encoding: 'utf8' })).toBe(printed);
  });
});
