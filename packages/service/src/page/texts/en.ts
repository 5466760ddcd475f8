// The texts of the page in English; other languages have the same keys. The chart has texts of its own, and the service
// answers in the language of the page.

import { numbersIn } from '@alas-jssp/core/counted';
import type { InEachLanguage } from '@alas-jssp/core/languages';
import { CHART_TEXTS } from 'alas-jssp/page';
import type { Caller } from '../../api/common.js';
import { englishImportTexts } from './en-import.js';

/** The number formats of the page in English. */
const { number, counted } = numbersIn('en');

const plural = (count: number, one: string, many = `${one}s`) =>
  counted(count, { one, other: many });

/** The texts of the page in English, by part of the page. */
export const englishTexts = {
  /** The language of the page, for screen readers. */
  locale: 'en-GB',
  number,
  /** Names of the languages, each in its own. */
  languages: { en: 'English', de: 'Deutsch' } as InEachLanguage<string>,
  language: 'Language',
  fault: (problem: string) =>
    `This view cannot be shown (${problem}). The other views are not affected.`,

  title: 'Shop floor',
  noScript: 'This page needs JavaScript, which is turned off in this browser.',
  theme: 'light / dark',
  close: 'Close',
  cancel: 'Cancel',

  connection: {
    opening: 'connecting …',
    live: 'live',
    lost: 'connection lost, trying again …',
    missing: 'not on this service',
    ended: 'the shop is closed',
    unreachable: 'The service does not answer. Nothing is lost; the page tries again.',
    oddAnswer: (status: number) =>
      `The service gave an answer that this page cannot read (${status}).`,
  },

  token: {
    heading: 'Sign in',
    missing: 'This service needs a token: its operator hands them out.',
    wrong: 'The service does not know this token.',
    label: 'Token',
    keep: 'stay signed in on this device',
    send: 'Sign in',
    forget: 'Sign out',
  },

  session: {
    /** Shown to users with limited rights. */
    limits: ({ name, role }: Caller) =>
      role === 'view' ? `${name} may look only` : `${name} may look and report`,
    waits: ({ name, role }: Caller) =>
      `A user with the right to decide must answer. (${name} may ${role === 'view' ? 'look only' : 'look and report'}.)`,
  },

  shops: {
    heading: 'Shops',
    none: 'No shop is open. One is opened by POST /shops, or by `alas-jssp serve --demo`.',
    all: 'all shops',
    line: (machines: number, jobs: number, operations: number) =>
      `${plural(machines, 'machine')}, ${plural(jobs, 'job')}, ${plural(operations, 'operation')}`,
    status: { open: 'open', closed: 'closed', failed: 'failed' },
    waits: 'a proposal waits for an answer',
    unavailable: (trouble: string) => `cannot be opened: ${trouble}`,
    opening: 'Opening …',
    import: 'Open a shop from files …',
    again: 'Try again',
  },

  head: {
    now: 'now',
    version: (version: number) => `version ${version}`,
    ends: (time: string) => `all done ${time}`,
    late: (count: number) => `${count} late`,
    report: 'Report …',
    undo: 'Undo …',
    withdraw: 'Withdraw …',
    export: 'Export …',
  },

  proposal: {
    heading: (moved: number) =>
      `Proposal: ${moved === 0 ? 'nothing' : plural(moved, 'operation')} would move`,
    by: (name: string) => `reported by ${name}`,
    /** Announced to screen readers when a proposal arrives. */
    comes: (heading: string, news: string) => `${heading}. ${news}`,
    late: (job: string, by: string, before: string | null) =>
      `${job} would be ${by} late${before === null ? '' : ` (now ${before})`}`,
    inTime: (job: string) => `${job} would be in time`,
    end: (before: string, after: string) =>
      before === after ? `all done ${after} as before` : `all done ${before} → ${after}`,
    /** The names of repair methods, in words. */
    methods: {
      lcrp: 'least change that helps',
      affected: 'only affected operations wait',
      'right-shift': 'everything moves back',
      'by hand': 'proposed by hand',
      undo: 'back to an earlier version',
    } as Readonly<Record<string, string>>,
    accept: 'Accept',
    decline: 'Decline',
    reason: 'Why not? (goes into the log)',
    more: (count: number) => `and ${plural(count, 'more operation')}`,
    gone: 'The proposal was answered meanwhile.',
    inChart: 'show the proposal',
  },

  /** Generated names, and all texts of the chart. */
  chart: {
    ...CHART_TEXTS,
    job: (number: number) => `Job ${number}`,
    machine: (number: number) => `Machine ${number}`,
    hint: (operations: number) => `${operations} operations. Touch one to read more about it.`,
    drag: 'drag it to another time or machine, or press Enter and then the arrow keys',
  },

  charts: {
    followed: (id: string, version: number) => `version ${version} of ${id}`,
    proposed: (id: string) => `proposal for ${id}`,
    reportOn: (operation: string) => `Report on ${operation} …`,
    move: (operation: string) => `Move ${operation} …`,
  },

  board: {
    heading: 'Machines',
    machine: 'machine',
    now: 'now',
    next: 'next',
    status: { running: 'runs', idle: 'free', down: 'down', closed: 'closed' },
    until: (status: 'down' | 'closed', time: string) => `${status} until ${time}`,
    waits: (operation: string) => `${operation} waits`,
    runs: (operation: string, end: string) => `${operation}, until ${end}`,
    done: 'nothing more',
    at: (time: string, operation: string) => `${time} ${operation}`,
    broken: (machine: string) => `Down … (Report a breakdown of ${machine})`,
    back: (machine: string) => `Is back … (Report that ${machine} is back)`,
    brokenShort: 'Down …',
    backShort: 'Is back …',
  },

  operators: {
    heading: 'Operators and tools',
    operator: 'name',
    several: (name: string, number: number) => `${name} (${number})`,
    at: (operation: string, machine: string) => `${operation} (${machine})`,
    setup: (operation: string) => `setup for ${operation}`,
    away: (time: string) => `away until ${time}`,
    there: (number: number, time: string) => `${number} there until ${time}`,
    missing: (name: string) => `Missing … (Report that ${name} is missing)`,
    missingShort: 'Missing …',
  },

  orders: {
    heading: (late: number) => `Orders${late === 0 ? '' : ` (${late} late)`}`,
    search: 'Search orders, customers …',
    filter: 'Which orders',
    filters: { open: 'not done', late: 'late', all: 'all' },
    none: 'No order matches.',
    caption: (shown: number, all: number) => `${shown} of ${plural(all, 'order')}`,
    order: 'order',
    status: 'state',
    statuses: { done: 'done', running: 'in progress', waiting: 'to come' },
    due: 'due',
    end: 'ends',
    slack: 'slack',
    late: (by: string) => `${by} late`,
    never: '–',
    about: {
      order: 'Touch a name to see the order in the chart',
      status: 'Whether it has begun',
      due: 'Its due date',
      end: 'Its planned end',
      slack: 'Time between its end and its due date',
      detail: (heading: string) => `${heading}, as it was imported`,
    },
    /** Headings of attributes of orders, for those that the import knows. */
    details: { customer: 'customer', quantity: 'quantity', article: 'article' } as Readonly<
      Record<string, string>
    >,
  },

  table: {
    nothing: (caption: string) => `${caption}: nothing to show.`,
    fewer: 'fewer columns',
    allColumns: 'all columns',
    allRows: (rows: number) => `show all ${rows} rows`,
  },

  story: {
    heading: 'What happened',
    none: 'Nothing yet.',
    by: (name: string) => `by ${name}`,
    all: 'show more',
  },

  report: {
    heading: 'Report',
    kind: 'What happened?',
    kinds: {
      breakdown: 'A machine is down',
      maintenance: 'A machine will be down (maintenance)',
      restored: 'A machine is back',
      duration: 'Something takes longer',
      delay: 'Material is late',
      arrival: 'A rush order came',
      cancellation: 'A job is cancelled',
      capacity: 'An operator or a tool is missing',
      alternative: 'Another machine may do an operation',
    },
    machine: 'Machine',
    job: 'Job',
    step: 'Operation',
    howLong: 'How long will it be down?',
    from: 'From',
    until: 'Until',
    unknown: 'unknown',
    work: 'The work on it',
    resumes: 'continues afterwards',
    lost: 'is lost and must start again',
    longer: 'How much longer than planned?',
    lateBy: 'From now on, for how long?',
    resource: 'Operator or tool',
    left: 'How many are left?',
    missingFor: 'For how long?',
    takesThere: 'How long does it take there?',
    name: 'Name of the order',
    due: 'Due',
    after: (time: string) => `How long after ${time}, the last event?`,
    atOnce: 'at once',
    weight: 'Weight: how much its lateness counts',
    operations: 'Operations, in their order',
    minutes: 'min',
    units: 'units',
    add: 'Add an operation',
    remove: (number: number) => `Remove operation ${number}`,
    takes: (number: number) => `Operation ${number} takes`,
    stepName: (number: number) => `Name of operation ${number}`,
    machineOf: (number: number) => `Machine of operation ${number}`,
    nothingRuns: 'Nothing is left to do for this job.',
    tryOut: 'What would it cost?',
    send: 'Report it',
    sendChosen: 'Report and repair this way',
    sending: 'Sending …',
    missing: 'Fill this in.',
  },

  trial: {
    heading: 'What it would cost',
    policy: 'policy',
    moved: 'moved',
    end: 'all done',
    tardiness: 'weighted lateness',
    late: 'late orders',
    noneLate: 'none',
    lateBy: (job: string, by: string) => `${job} by ${by}`,
    moreLate: (count: number) => ` and ${count} more`,
    policies: {
      shop: 'as this shop repairs',
      'due-dates': 'meet due dates',
      'few-moves': 'few moves',
      'do-nothing': 'do nothing (waiting operations are delayed)',
      'from-scratch': 'plan from scratch',
      alone: 'nothing else moves',
      'give-way': 'operations in the way wait',
      around: 'plan all others around it',
    } as Readonly<Record<string, string>>,
    none: 'no repair was found',
    notAlone: 'not possible',
    usual: (policy: string) => `${policy} (default)`,
    tooLate: 'It would change nothing:',
  },

  moving: {
    heading: (operation: string) => `Move ${operation}`,
    where: (machine: string, from: string, to: string) =>
      from === to ? `${machine}, ${from}` : `${machine}, ${from} → ${to}`,
    machine: 'Machine',
    /** A machine that can do the operation, and its time for it. */
    takes: (machine: string, duration: string) => `${machine} (${duration})`,
    steps: 'Start',
    earlier: (by: string) => `− ${by}`,
    later: (by: string) => `+ ${by}`,
    /** The times of an operation at its new place, and the violations there. */
    time: (start: string, end: string) => `${start} to ${end}`,
    fine: 'fits, nothing else has to move',
    /** Of shops whose further rules only the service knows. */
    partly: 'fits the hours of the machine; setups, transport and operators are checked next',
    on: (machine: string, verdict: string) => `${machine}, ${verdict}`,
    broken: (verdicts: readonly string[]) => verdicts.join('; '),
    rules: {
      past: 'this time has passed',
      release: (time: string) => `not released before ${time}`,
      downtime: (from: string, to: string) => `the machine does not work from ${from} to ${to}`,
      before: (step: string, end: string) => `the step before it, ${step}, ends at ${end}`,
      after: (step: string, start: string) => `its next step, ${step}, starts at ${start}`,
      runs: (operation: string, end: string) => `${operation} has started and runs until ${end}`,
      overlaps: (operation: string, start: string, end: string) =>
        `collides with ${operation} (${start} to ${end})`,
    },
    computing: 'Its cost is being computed …',
    undoable: (version: number) =>
      `Undo leads back to version ${version}. Later repairs may move it again.`,
    refused: 'It was not moved:',
    send: 'Move it',
  },

  outcome: {
    committed: (version: number, moved: number) =>
      `Done: version ${version} is followed, ${plural(moved, 'operation')} moved.`,
    waiting: 'A repair is proposed and waits for an answer.',
    queued: 'Noted: it will be handled when the waiting proposal is answered.',
    skipped: 'It changed nothing:',
    declined: 'No proposal was accepted.',
    failed: 'No repair was found, and the shop has ended:',
    approved: (version: number) => `Accepted: version ${version} is followed.`,
    refused: 'Declined: the plan stays as it is.',
    kept: (version: number) =>
      `Declined: version ${version} is followed, which keeps the earlier plan as far as possible.`,
  },

  exporting: {
    heading: 'Export the plan',
    explain: (version: number) => `Version ${version}, as it is followed now.`,
    formats: {
      xlsx: 'Excel (.xlsx)',
      csv: 'Operations as CSV',
      ics: 'Calendar file (.ics)',
    },
    subscribe: 'Subscribe to a calendar',
    about: 'Calendar programs with this address show the plan and update it by themselves.',
    secret: 'Anyone with this address can read this calendar: share it with care.',
    calendar: 'Calendar of',
    all: 'all machines',
    address: 'Address',
    copy: 'Copy',
    copied: 'Copied.',
    open: 'Open in a calendar program',
    noClock: 'The times of this shop are not dates, so it has no calendar.',
  },

  importing: englishImportTexts,

  undo: {
    heading: 'Undo',
    explain:
      'Goes back to an earlier plan as far as possible: started operations and events of machines and jobs remain.',
    version: 'Back to',
    plan: 'the first plan',
    after: (time: string, news: string) => `the plan after ${time}, ${news}`,
    named: (name: string, version: number) => `${name} (version ${version})`,
    send: 'Undo',
    none: 'There is no earlier version.',
  },

  withdraw: {
    heading: 'Withdraw a report',
    explain:
      'For a mistaken report: the plan is repaired as if the report had not been made, except for operations started since.',
    version: 'The report of',
    after: (time: string, news: string) => `${time}: ${news}`,
    send: 'Withdraw',
    none: 'There is no report.',
  },
};

/** The texts of the page in a language. */
export type PageTexts = typeof englishTexts;
