import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** The licences of all packages in a bundle, those with the same text together. */
export function bundledLicences({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap(
      (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    ),
  );
  const byText = new Map();
  for (const name of [...packages].sort()) {
    const home = join(modules, name);
    const { version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const files = readdirSync(home).filter((file) => /^(licen[cs]e|copying)/i.test(file));
    const text = files.map((file) => readFileSync(join(home, file), 'utf8').trim()).join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return Array.from(byText, ([text, names]) => `${names.join('\n')}\n\n${text}`).join('\n\n\n');
}
