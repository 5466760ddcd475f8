// The texts of the page in German, in the words of a shop floor. Long words have soft hyphens for narrow columns.

import { numbersIn } from '@alas-jssp/core/counted';
import { germanChart } from './de-chart.js';
import { germanImportTexts } from './de-import.js';
import type { PageTexts } from './en.js';

const { number, counted } = numbersIn('de');

const operations = (count: number) => counted(count, { one: 'Arbeitsgang', other: 'Arbeitsgänge' });

const ROLES: Readonly<Record<string, string>> = {
  view: 'darf nur ansehen',
  report: 'darf ansehen und melden',
};

/** The texts of the page in German. */
export const germanTexts: PageTexts = {
  locale: 'de',
  number,
  languages: { en: 'English', de: 'Deutsch' },
  language: 'Sprache',
  fault: (problem) =>
    `Diese Ansicht kann nicht gezeigt werden (${problem}). Die anderen sind davon nicht betroffen.`,

  title: 'Werkstatt',
  noScript: 'Diese Seite zeichnet sich mit ihrem eigenen Skript; Skripte sind hier abgeschaltet.',
  theme: 'hell / dunkel',
  close: 'Schließen',
  cancel: 'Abbrechen',

  connection: {
    opening: 'verbindet …',
    live: 'live',
    lost: 'Verbindung unterbrochen, neuer Versuch …',
    missing: 'nicht auf diesem Dienst',
    ended: 'die Werkstatt ist geschlossen',
    unreachable: 'Der Dienst antwortet nicht. Nichts ist verloren: es wird weiter versucht.',
    oddAnswer: (status) =>
      `Der Dienst hat eine Antwort gegeben, die diese Seite nicht lesen kann (${status}).`,
  },

  token: {
    heading: 'Anmelden',
    missing: 'Dieser Dienst verlangt einen Zugangscode: wer ihn betreibt, vergibt ihn.',
    wrong: 'Diesen Zugangscode kennt der Dienst nicht.',
    label: 'Zugangscode',
    keep: 'auf diesem Gerät angemeldet bleiben',
    send: 'Anmelden',
    forget: 'Abmelden',
  },

  session: {
    limits: ({ name, role }) => `${name} ${ROLES[role]}`,
    waits: ({ name, role }) =>
      `Darüber muss jemand entscheiden, der das darf. (${name} ${ROLES[role]}.)`,
  },

  shops: {
    heading: 'Werkstätten',
    none: 'Keine Werkstatt ist offen. Geöffnet wird eine mit POST /shops oder mit `alas-jssp serve --demo`.',
    all: 'alle Werkstätten',
    line: (machines, jobs, count) =>
      [
        counted(machines, { one: 'Maschine', other: 'Maschinen' }),
        counted(jobs, { one: 'Auftrag', other: 'Aufträge' }),
        operations(count),
      ].join(', '),
    status: { open: 'offen', closed: 'geschlossen', failed: 'gescheitert' },
    waits: 'ein Vorschlag wartet auf eine Entscheidung',
    unavailable: (trouble) => `kann nicht geöffnet werden: ${trouble}`,
    opening: 'Wird geöffnet …',
    import: 'Werkstatt aus Dateien öffnen …',
    again: 'Noch einmal',
  },

  head: {
    now: 'jetzt',
    version: (version) => `Version ${version}`,
    ends: (time) => `alles fertig ${time}`,
    late: (count) => `${number(count)} verspätet`,
    report: 'Melden …',
    undo: 'Rückgängig …',
    withdraw: 'Zurückziehen …',
    export: 'Exportieren …',
  },

  proposal: {
    heading: (moved) =>
      moved === 0
        ? 'Vorschlag: nichts würde sich verschieben'
        : `Vorschlag: ${operations(moved)} ${moved === 1 ? 'würde' : 'würden'} sich verschieben`,
    by: (name) => `gemeldet von ${name}`,
    comes: (heading, news) => `${heading}. ${news}`,
    late: (job, by, before) =>
      `${job} wäre ${by} verspätet${before === null ? '' : ` (jetzt ${before})`}`,
    inTime: (job) => `${job} wäre pünktlich`,
    end: (before, after) =>
      before === after ? `alles fertig ${after} wie zuvor` : `alles fertig ${before} → ${after}`,
    methods: {
      lcrp: 'kleinste Änderung, die hilft',
      affected: 'nur was betroffen ist, wartet',
      'right-shift': 'alles rückt nach hinten',
      'by hand': 'von Hand vorgeschlagen',
      undo: 'zurück auf eine frühere Version',
    },
    accept: 'Annehmen',
    decline: 'Ablehnen',
    reason: 'Warum nicht? (kommt ins Protokoll)',
    more: (count) =>
      `und ${counted(count, { one: 'weiterer Arbeitsgang', other: 'weitere Arbeitsgänge' })}`,
    gone: 'Über den Vorschlag wurde inzwischen entschieden.',
    inChart: 'Vorschlag zeigen',
  },

  chart: germanChart,

  charts: {
    followed: (id, version) => `Version ${version} von ${id}`,
    proposed: (id) => `Vorschlag für ${id}`,
    move: (operation) => `${operation} verschieben …`,
    reportOn: (operation) => `Zu ${operation} melden …`,
  },

  board: {
    heading: 'Maschinen',
    machine: 'Maschine',
    now: 'jetzt',
    next: 'danach',
    status: { running: 'läuft', idle: 'frei', down: 'steht', closed: 'geschlossen' },
    until: (status, time) => `${status === 'down' ? 'steht' : 'geschlossen'} bis ${time}`,
    waits: (operation) => `${operation} wartet`,
    runs: (operation, end) => `${operation}, bis ${end}`,
    done: 'nichts mehr',
    at: (time, operation) => `${time} ${operation}`,
    broken: (machine) => `Störung … (Störung an ${machine} melden)`,
    back: (machine) => `Läuft wieder … (melden, dass ${machine} wieder läuft)`,
    brokenShort: 'Störung …',
    backShort: 'Läuft wieder …',
  },

  operators: {
    heading: 'Bediener und Werkzeuge',
    operator: 'Name',
    several: (name, count) => `${name} (${number(count)})`,
    at: (operation, machine) => `${operation} (${machine})`,
    setup: (operation) => `Rüsten für ${operation}`,
    away: (time) => `nicht da bis ${time}`,
    there: (count, time) => `${number(count)} da bis ${time}`,
    missing: (name) => `Fehlt … (melden, dass ${name} fehlt)`,
    missingShort: 'Fehlt …',
  },

  orders: {
    heading: (late) => `Aufträge${late === 0 ? '' : ` (${number(late)} verspätet)`}`,
    search: 'Aufträge, Kunden suchen …',
    filter: 'Welche Aufträge',
    filters: { open: 'offene', late: 'verspätete', all: 'alle' },
    none: 'Kein Auftrag passt dazu.',
    caption: (shown, all) =>
      `${number(shown)} von ${counted(all, { one: 'Auftrag', other: 'Aufträgen' })}`,
    order: 'Auftrag',
    status: 'Stand',
    statuses: { done: 'fertig', running: 'in Arbeit', waiting: 'offen' },
    due: 'Liefer\u00adtermin',
    end: 'fertig',
    slack: 'Puffer',
    late: (by) => `${by} verspätet`,
    never: '–',
    about: {
      order: 'Einen Namen antippen, um den Auftrag im Plan zu sehen',
      status: 'Ob er begonnen ist',
      due: 'Wann er fertig sein soll',
      end: 'Wann er nach Plan fertig ist',
      slack: 'Zeit zwischen seinem Ende und dem Liefertermin',
      detail: (heading) => `${heading}, wie importiert`,
    },
    details: { customer: 'Kunde', quantity: 'Menge', article: 'Artikel' },
  },

  table: {
    nothing: (caption) => `${caption}: nichts zu zeigen.`,
    fewer: 'weniger Spalten',
    allColumns: 'alle Spalten',
    allRows: (rows) => `alle ${number(rows)} Zeilen zeigen`,
  },

  story: {
    heading: 'Verlauf',
    none: 'Noch nichts.',
    by: (name) => `von ${name}`,
    all: 'mehr zeigen',
  },

  report: {
    heading: 'Melden',
    kind: 'Was ist passiert?',
    kinds: {
      breakdown: 'Eine Maschine steht',
      maintenance: 'Eine Maschine wird stehen (Wartung)',
      restored: 'Eine Maschine läuft wieder',
      duration: 'Etwas dauert länger',
      delay: 'Material kommt später',
      arrival: 'Ein Eilauftrag ist gekommen',
      cancellation: 'Ein Auftrag ist storniert',
      capacity: 'Personal oder ein Werkzeug fehlt',
      alternative: 'Eine andere Maschine darf einen Arbeitsgang auch machen',
    },
    machine: 'Maschine',
    job: 'Auftrag',
    step: 'Arbeitsgang',
    howLong: 'Wie lange steht sie?',
    from: 'Von',
    until: 'Bis',
    unknown: 'weiß niemand',
    work: 'Die begonnene Arbeit',
    resumes: 'geht danach weiter',
    lost: 'ist verloren und beginnt von vorn',
    longer: 'Wie viel länger als geplant?',
    lateBy: 'Ab jetzt, wie lange noch?',
    resource: 'Personal oder Werkzeug',
    left: 'Wie viele sind noch da?',
    missingFor: 'Wie lange?',
    takesThere: 'Wie lange dauert er dort?',
    name: 'Name des Auftrags',
    due: 'Liefertermin',
    after: (time) => `Wie lange nach ${time}, der Zeit der letzten Meldung?`,
    atOnce: 'sofort',
    weight: 'Gewicht: wie sehr seine Verspätung zählt',
    operations: 'Arbeitsgänge, in ihrer Reihenfolge',
    minutes: 'min',
    units: 'Einheiten',
    add: 'Arbeitsgang hinzufügen',
    remove: (count) => `${count}. Arbeitsgang entfernen`,
    takes: (count) => `Dauer des ${count}. Arbeitsgangs`,
    stepName: (count) => `${count}. Arbeitsgang`,
    machineOf: (count) => `Maschine des ${count}. Arbeitsgangs`,
    nothingRuns: 'Für diesen Auftrag ist nichts mehr zu tun.',
    tryOut: 'Was würde es kosten?',
    send: 'Melden',
    sendChosen: 'Melden und so reparieren',
    sending: 'Wird gemeldet …',
    missing: 'Bitte ausfüllen.',
  },

  trial: {
    heading: 'Was es kosten würde',
    policy: 'Vorgehen',
    moved: 'ver\u00adschoben',
    end: 'alles fertig',
    tardiness: 'gewichtete Ver\u00adspätung',
    late: 'verspätete Aufträge',
    noneLate: 'keine',
    lateBy: (job, by) => `${job} um ${by}`,
    moreLate: (count) => ` und ${number(count)} weitere`,
    policies: {
      shop: 'wie diese Werkstatt umplant',
      'due-dates': 'Liefertermine halten',
      'few-moves': 'wenig verschieben',
      'do-nothing': 'nichts tun (was wartet, verzögert sich)',
      'from-scratch': 'ganz neu planen',
      alone: 'sonst verschiebt sich nichts',
      'give-way': 'was im Weg ist, wartet',
      around: 'alle anderen darum herum planen',
    },
    none: 'kein Vorschlag wurde gefunden',
    notAlone: 'nicht möglich',
    usual: (policy) => `${policy} (Vorgabe)`,
    tooLate: 'Es würde nichts ändern:',
  },

  moving: {
    heading: (operation) => `${operation} verschieben`,
    where: (machine, from, to) =>
      from === to ? `${machine}, ${from}` : `${machine}, ${from} → ${to}`,
    machine: 'Maschine',
    takes: (machine, duration) => `${machine} (${duration})`,
    steps: 'Beginn',
    earlier: (by) => `− ${by}`,
    later: (by) => `+ ${by}`,
    time: (start, end) => `${start} bis ${end}`,
    fine: 'passt, sonst muss sich nichts verschieben',
    partly:
      'passt zu den Zeiten der Maschine; Rüsten, Transport und Personal werden danach geprüft',
    on: (machine, verdict) => `${machine}, ${verdict}`,
    broken: (verdicts) => verdicts.join('; '),
    rules: {
      past: 'diese Zeit ist schon vorbei',
      release: (time) => `nicht vor ${time} freigegeben`,
      downtime: (from, to) => `die Maschine arbeitet von ${from} bis ${to} nicht`,
      before: (step, end) => `der Arbeitsgang davor, ${step}, endet ${end}`,
      after: (step, start) => `der Arbeitsgang danach, ${step}, beginnt ${start}`,
      runs: (operation, end) => `${operation} hat begonnen und läuft bis ${end}`,
      overlaps: (operation, start, end) => `stößt mit ${operation} zusammen (${start} bis ${end})`,
    },
    computing: 'Die Kosten werden berechnet …',
    undoable: (version) =>
      `Rückgängig führt auf Version ${version} zurück. Spätere Vorschläge können ihn wieder verschieben.`,
    refused: 'Nicht verschoben:',
    send: 'Verschieben',
  },

  outcome: {
    committed: (version, moved) =>
      `Erledigt: jetzt gilt Version ${version}, ${moved === 0 ? 'nichts wurde' : `${operations(moved)} ${moved === 1 ? 'wurde' : 'wurden'}`} verschoben.`,
    waiting: 'Ein Vorschlag ist gemacht und wartet auf eine Entscheidung.',
    queued: 'Vorgemerkt: es kommt dran, wenn über den wartenden Vorschlag entschieden ist.',
    skipped: 'Es hat nichts geändert:',
    declined: 'Kein Vorschlag wurde angenommen.',
    failed: 'Kein Vorschlag wurde gefunden, und die Werkstatt ist beendet:',
    approved: (version) => `Angenommen: jetzt gilt Version ${version}.`,
    refused: 'Abgelehnt: der Plan bleibt, wie er ist.',
    kept: (version) =>
      `Abgelehnt: jetzt gilt Version ${version}, der bisherige Plan, so gut er zu halten ist.`,
  },

  exporting: {
    heading: 'Plan exportieren',
    explain: (version) => `Version ${version}, so wie sie jetzt gilt.`,
    formats: {
      xlsx: 'Excel (.xlsx)',
      csv: 'Arbeitsgänge als CSV',
      ics: 'Kalenderdatei (.ics)',
    },
    subscribe: 'Kalender abonnieren',
    about:
      'Kalenderprogramme, die diese Adresse kennen, zeigen den Plan und alles, was daraus wird: sie fragen von selbst wieder nach.',
    secret: 'Wer diese Adresse hat, kann diesen Kalender lesen: nur mit Bedacht weitergeben.',
    calendar: 'Kalender von',
    all: 'allen Maschinen',
    address: 'Adresse',
    copy: 'Kopieren',
    copied: 'Kopiert.',
    open: 'Im Kalenderprogramm öffnen',
    noClock: 'Die Zeiten dieser Werkstatt sind keine Daten, deshalb hat sie keinen Kalender.',
  },

  importing: germanImportTexts,

  undo: {
    heading: 'Rückgängig',
    explain:
      'Geht auf einen früheren Plan zurück, soweit das noch möglich ist: was begonnen hat, bleibt, und auch, was an Maschinen und Aufträgen geschehen ist.',
    version: 'Zurück auf',
    plan: 'den Plan vom Anfang',
    after: (time, news) => `den Plan nach ${time}, ${news}`,
    named: (name, version) => `${name} (Version ${version})`,
    send: 'Rückgängig machen',
    none: 'Es gibt keine frühere Version.',
  },

  withdraw: {
    heading: 'Meldung zurückziehen',
    explain:
      'Für eine Meldung, die ein Irrtum war: der Plan wird so repariert, als hätte es sie nicht gegeben, außer bei dem, was seitdem begonnen hat.',
    version: 'Die Meldung',
    after: (time, news) => `${time}: ${news}`,
    send: 'Zurückziehen',
    none: 'Es gibt keine Meldung.',
  },
};
