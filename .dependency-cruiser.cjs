// Who may import whom: each folder of src lists the folders and packages it may use. Everything else is an error.
const allowed = {
  jssp: ['core'],
  validator: ['core', 'jssp'],
  disruption: ['core', 'jssp'],
  search: ['core', 'jssp'],
  llm: ['core', 'jssp'],
  lcrp: ['core', 'jssp', 'validator', 'disruption', 'search'],
  browser: ['core', 'jssp', 'validator', 'disruption', 'search', 'lcrp'],
  pipeline: [
    'core',
    'jssp',
    'validator',
    'disruption',
    'search',
    'llm',
    'lcrp',
    'workflow',
    'living-plan',
  ],
  harness: [
    'core',
    'jssp',
    'validator',
    'disruption',
    'search',
    'llm',
    'lcrp',
    'workflow',
    'living-plan',
    'pipeline',
  ],
};
allowed.report = [...allowed.harness, 'harness'];
allowed.playground = ['core', 'browser', 'report'];

/** Folders of packages that folders of src import, by the names of their packages. */
const packages = ['core', 'workflow', 'living-plan'];
/** The entries that `alas-jssp` publishes. */
const ENTRIES = '^src/[^.]*index[.]ts$';
const home = (name) => (packages.includes(name) ? `packages/${name}/src` : `src/${name}`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(allowed).map(([folder, others]) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${others.join(', ')} only`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^(src|packages)/', pathNot: `^(${[folder, ...others].map(home).join('|')})/` },
    })),
    {
      name: 'report-tables-from-records',
      comment: 'only the pages collect what they show from schedules, repairs and logs',
      severity: 'error',
      from: { path: '^src/report/', pathNot: '^src/report/page/' },
      to: { path: '^src/', pathNot: '^src/(core|jssp|harness|report)/' },
    },
    {
      name: 'core-imports',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { path: '^(src|packages)/', pathNot: '^(packages/core/src)/' },
    },
    {
      name: 'workflow-imports',
      severity: 'error',
      from: { path: '^packages/workflow/src/' },
      to: { path: '^(src|packages)/', pathNot: '^(packages/core/src|packages/workflow/src)/' },
    },
    {
      name: 'living-plan-imports',
      comment: 'a living plan knows nothing of shops',
      severity: 'error',
      from: { path: '^packages/living-plan/src/' },
      to: {
        path: '^(src|packages)/',
        pathNot: '^(packages/core/src|packages/workflow/src|packages/living-plan/src)/',
      },
    },
    {
      name: 'convert-on-workflow',
      severity: 'error',
      from: { path: '^packages/(convert|changeset)/src/' },
      to: { path: '^(src|packages)/', pathNot: '^packages/(core|workflow|convert|changeset)/src/' },
    },
    {
      name: 'nothing-imports-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'nothing-imports-browser',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '^src/(browser|playground)/' },
      to: { path: '^src/browser/' },
    },
    {
      name: 'interpreter-behind-its-port',
      comment:
        'the interpreter of workflows knows neither hosts nor stores nor the process it is in',
      severity: 'error',
      from: { path: '^packages/workflow/src/interpreter/' },
      to: {
        path: '^packages/workflow/src/(hosts|define|validation)/|^packages/workflow/src/log/(sqlite|memory|forgetful|open|export|redaction)',
      },
    },
    {
      name: 'interpreter-without-node',
      severity: 'error',
      from: { path: '^packages/workflow/src/interpreter/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'admission-without-node',
      severity: 'error',
      comment: 'admission runs in the sandbox of workflows, with all that it imports',
      from: { path: '^src/llm/admission/' },
      to: { path: '^(node:)?(crypto|fs|os|path|process|url|zlib)(/|$)', reachable: true },
    },
    {
      name: 'temporal-through-published-entries',
      comment:
        'the package for Temporal is a user of this one: what it needs and is not published gets published',
      severity: 'error',
      from: { path: '^packages/temporal/src/' },
      to: { path: '^(src|test)/', pathNot: ENTRIES },
    },
    {
      name: 'coordination-through-published-entries',
      comment: 'a package of its own, with a judge that imports the model alone',
      severity: 'error',
      from: { path: '^packages/coordination/src/' },
      to: { path: '^(src|test)/', pathNot: ENTRIES },
    },
    {
      name: 'agents-on-workflow-and-models',
      comment: 'agents at run time know workflows and clients of models',
      severity: 'error',
      from: { path: '^packages/agents/src/' },
      to: {
        path: '^(src|test|packages)/',
        pathNot:
          '^src/llm/index[.]ts$|^src/cli/common/index[.]ts$|^packages/(core|workflow|agents)/src/',
      },
    },
    {
      name: 'blueprint-on-agents',
      severity: 'error',
      from: { path: '^packages/blueprint/src/' },
      to: {
        path: '^(src|test|packages)/',
        pathNot: `${ENTRIES}|^packages/(core|workflow|agents|convert|blueprint)/src/`,
      },
    },
    {
      name: 'service-through-published-entries',
      comment:
        'the service is a package of its own: of this one it imports published entries, and src/service-internals.ts for the rest',
      severity: 'error',
      from: { path: '^packages/service/src/' },
      to: {
        path: '^(src|test|packages)/',
        pathNot: `${ENTRIES}|^src/service-internals[.]ts$|^packages/(core|workflow|living-plan|service)/src/`,
      },
    },
    {
      name: 'service-internals-for-the-service-only',
      severity: 'error',
      from: { path: '^(src|engines|examples|packages)/', pathNot: '^packages/service/' },
      to: { path: '^src/service-internals' },
    },
    {
      name: 'nothing-imports-the-service',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '^packages/(service|lab)/' },
      to: { path: '^packages/service/src/' },
    },
    {
      name: 'coordination-judge-imports-model-only',
      severity: 'error',
      from: { path: '^packages/coordination/src/judge/' },
      to: {
        path: '^packages/coordination/src/',
        pathNot: '^packages/coordination/src/(judge|model)/',
      },
    },
    {
      name: 'realm-judges-import-model-only',
      severity: 'error',
      from: { path: '^packages/coordination/src/realm/[a-z]+/judge-[a-z]+\\.ts$' },
      to: {
        path: '^packages/coordination/src/',
        pathNot: '^packages/coordination/src/(model/|realm/([a-z]+)/\\2\\.ts$)',
      },
    },
    {
      name: 'travel-judge-imports-model-only',
      severity: 'error',
      from: { path: '^packages/coordination/src/travel/judge/' },
      to: {
        path: '^packages/coordination/src/',
        pathNot: '^packages/coordination/src/travel/(judge|model)/',
      },
    },
    {
      name: 'lab-through-entries',
      comment:
        'the lab is a user of the library: it imports published entries, and src/lab-internals.ts for the rest',
      severity: 'error',
      from: { path: '^packages/lab/src/' },
      to: {
        path: '^(src|test|dist)/',
        pathNot: '^(src|dist)/[^.]*index[.]|^(src|dist)/lab-internals[.]',
      },
    },
    {
      name: 'lab-internals-for-the-lab-only',
      severity: 'error',
      from: { path: '^(src|engines|examples|packages/(coordination|service))/' },
      to: { path: '^src/lab-internals' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(node:|#)' },
    },
  ],
  options: {
    // AssemblyScript, a language of its own that only looks like TypeScript; and the pages' code for browsers, which
    // no other code imports (JSX is more than the parser reads): tests called imports.test.ts hold what they import.
    // packages/temporal has dependencies of its own, which may not be installed: `npm run check:temporal` checks it.
    exclude: {
      path: '^(src/search/kernel|src/search/flexible/kernel|src/playground|(src/report|packages/service/src)/page/browser|packages/temporal)/',
    },
    doNotFollow: { path: ['node_modules', '^dist'] },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js'],
      conditionNames: ['alas-source', 'import', 'node', 'default'],
    },
  },
};
