import { join, relative } from 'node:path';
import { Application, Converter, OptionDefaults, PageEvent, ReflectionKind } from 'typedoc';
import { publicEntries } from './entries.mjs';
import { REPOSITORY, ROOT, SITE } from './places.mjs';

/**
 * Writes the reference of all public entries with TypeDoc.
 *
 * @returns its warnings: links of doc comments that lead nowhere, and tags without meaning
 */
export async function writeReference(out, { base, hasPlayground }) {
  const entries = publicEntries();
  const app = await Application.bootstrap({
    ...options({ base, hasPlayground }),
    // The root re-exports the best of the others: its names lead to their pages.
    entryPoints: [...entries.slice(1), entries[0]].map(({ file }) => file),
  });
  const warnings = listen(app.logger);
  nameModules(app, entries);
  linkToSources(app);
  nameLandmarks(app);
  listEntries(app);
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read the sources');
  app.validate(project);
  await app.generateDocs(project, out);
  return warnings;
}

function options({ base, hasPlayground }) {
  return {
    tsconfig: join(SITE, 'tsconfig.json'),
    basePath: ROOT,
    name: 'alas-jssp API',
    titleLink: base,
    readme: join(SITE, 'home', 'reference.md'),
    favicon: join(SITE, 'public', 'favicon.svg'),
    customCss: join(SITE, 'home', 'reference.css'),
    navigationLinks: {
      Docs: `${base}docs/`,
      ...(hasPlayground ? { Playground: `${base}playground/` } : {}),
      Leaderboard: `${base}leaderboard.html`,
    },
    navigation: { includeCategories: false, includeGroups: false, includeFolders: false },
    // `npm run types` checks them.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableGit: true,
    gitRevision: 'main',
    sourceLinkTemplate: `${REPOSITORY}/blob/main/{path}#L{line}`,
    // As OpenAPI's generator writes them.
    blockTags: [...OptionDefaults.blockTags, '@description'],
    // The types of a signature that are not exported link to their sources.
    validation: { notExported: false, invalidLink: true, invalidPath: true },
    includeHierarchySummary: false,
    hideGenerator: true,
    githubPages: false,
  };
}

/** Collects what a logger warns of, instead of printing it. */
function listen(logger) {
  const warnings = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they colour a terminal
  const keep = (message) => warnings.push(String(message).replaceAll(/\u001b\[[0-9;]*m/g, ''));
  Object.assign(logger, { warn: keep, error: keep, info: () => {} });
  return warnings;
}

/** Modules have the names that programs import, instead of the paths of their sources. */
function nameModules(app, entries) {
  const names = new Map(entries.map(({ name, file }) => [file, name]));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = names.get(module.sources?.[0]?.fullFileName) ?? module.name;
    }
  });
}

/** Names that are not exported lead to their sources. */
function linkToSources(app) {
  app.converter.addUnknownSymbolResolver((_reference, _reflection, _part, symbol) => {
    const path = symbol?.fileName && relative(ROOT, symbol.fileName).replaceAll('\\', '/');
    if (!path || path.startsWith('..') || path.includes('node_modules')) return undefined;
    return { target: `${REPOSITORY}/blob/main/${path}` };
  });
}

/** The start page lists the entries with the number of their names: on a phone the contents are in a menu. */
function listEntries(app) {
  // The engine itself first, then the other packages.
  const rank = ({ name }) => (name.startsWith('@') ? 1 : 0) + name;
  app.renderer.on(PageEvent.END, (page) => {
    if (page.url !== 'index.html') return;
    const items = page.project
      .getReflectionsByKind(ReflectionKind.Module)
      .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
      .map((module) => {
        const names = (module.children ?? []).length;
        const url = app.renderer.router.getFullUrl(module);
        return `<li><a href="${url}">${module.name}</a> <small>${names} names</small></li>`;
      });
    if (!page.contents.includes('<p>ENTRIES</p>'))
      throw new Error('home/reference.md has no place for the list of entries');
    page.contents = page.contents.replace(
      '<p>ENTRIES</p>',
      `<ul class="entries">${items.join('')}</ul>`,
    );
  });
}

/** The parts of a page have roles and names for screen readers. */
function nameLandmarks(app) {
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents
      .replace('<div class="col-content"', '<div role="main" class="col-content"')
      .replace(
        '<div class="col-sidebar"',
        '<div role="complementary" aria-label="Contents" class="col-sidebar"',
      )
      .replace('<nav id="tsd-sidebar-links"', '<nav aria-label="The site" id="tsd-sidebar-links"');
  });
}
