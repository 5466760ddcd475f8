import { numbersIn } from '@alas-jssp/core/counted';
import type { PageTexts } from './en.js';

const { number, counted } = numbersIn('de');

const operations = (count: number) => counted(count, { one: 'Arbeitsgang', other: 'Arbeitsgänge' });

/** The German texts of the page that opens a shop from files. */
export const germanImportTexts: PageTexts['importing'] = {
  heading: 'Werkstatt aus Dateien öffnen',
  explain:
    'Aufträge und Arbeitspläne, bei Bedarf auch Tabellen der Maschinengruppen, Rüstzeiten, Transportzeiten und Bediener, als CSV-Dateien (aus Excel: „Speichern unter“, CSV); ein Schichtkalender und eine Zuordnung als JSON-Dateien. Nichts wird behalten, bis die Werkstatt geöffnet ist.',
  drop: 'Dateien hier ablegen, oder',
  choose: 'Dateien wählen …',
  files: 'Dateien',
  remove: (file) => `${file} entfernen`,
  kinds: {
    orders: 'Aufträge',
    routings: 'Arbeitspläne der Artikel',
    machines: 'Maschinengruppen',
    setups: 'Rüstzeiten zwischen Familien',
    transport: 'Transportzeiten zwischen Maschinen',
    operators: 'Bediener und Werkzeuge',
    calendar: 'Schichtkalender',
    map: 'Zuordnung',
  },
  kindOf: (file) => `Was steht in ${file}?`,
  encoding: (encoding) => `nicht UTF-8, gelesen als ${encoding}`,
  notUnderstood: (file) =>
    `${file} ist keine CSV-Datei und weder Kalender noch Zuordnung in JSON (docs/how-to/shop-data.md).`,
  twice: (kind) => `Es gibt zwei Dateien derselben Art: ${kind}. Bitte eine entfernen.`,
  noOrders: 'Eine Datei mit Aufträgen fehlt noch.',
  columns: (file) => `Spalten von ${file}`,
  field: 'Feld',
  column: 'Spalte',
  examples: 'Beispiele',
  columnOf: (field, file) => `Spalte von ${file} für: ${field}`,
  noColumn: '–',
  fields: {
    order: 'Auftrag',
    article: 'Artikel',
    customer: 'Kunde',
    quantity: 'Menge',
    release: 'frühester Beginn',
    due: 'Liefertermin',
    weight: 'Gewicht (Priorität)',
    step: 'Arbeitsgang (Nummer)',
    operation: 'Arbeitsgang (Name)',
    machine: 'Maschine',
    setup: 'Rüstzeit',
    per_piece: 'Stückzeit',
    duration: 'Dauer insgesamt',
    family: 'Rüstfamilie',
    operator: 'Bediener',
    setup_operator: 'Einrichter',
    tool: 'Werkzeug',
    after: 'Vorgänger',
    min_wait: 'Mindestwartezeit',
    max_wait: 'Höchstwartezeit',
  },
  reading: 'Wie sie gelesen werden',
  begins: 'Die Zeit beginnt',
  zone: 'Zeitzone',
  times: 'Arbeitszeiten sind in',
  timeUnits: { minutes: 'Minuten', seconds: 'Sekunden', hours: 'Stunden' },
  dates: 'Daten sehen so aus',
  decimals: 'Zahlen sehen so aus',
  decimal: { auto: 'wie die Überschriften es sagen', '.': '1.5', ',': '1,5' },
  preview: 'Was gelesen wurde',
  size: (orders, count, machines) =>
    [
      counted(orders, { one: 'Auftrag', other: 'Aufträge' }),
      operations(count),
      counted(machines, { one: 'Maschine', other: 'Maschinen' }),
    ].join(', '),
  shiftsUntil: (time) =>
    `Schichten sind bis ${time} bekannt; danach gelten Maschinen als rund um die Uhr verfügbar.`,
  overdue: (orders) => `Liefertermin vor Beginn der Zeit, also gleich zu Beginn fällig: ${orders}`,
  encodings: (file, encoding) => `${file} ist nicht UTF-8 und wurde als ${encoding} gelesen.`,
  or: ' oder ',
  parts: {
    alternatives: (count) => `${operations(count)} mit Alternativen`,
    resources: (named) => `Bediener und Werkzeuge, mit ihrer Anzahl: ${named}`,
    setups: (families) =>
      families === 1 ? 'Rüstzeiten einer Familie' : `Rüstzeiten zwischen ${families} Familien`,
    transport: 'Transport zwischen Maschinen braucht Zeit.',
    precedence: 'Aufträge haben Vorgänger oder Wartezeiten.',
  },
  kept: (columns) => `Bei den Aufträgen behalten: ${columns}`,
  unknown: 'Nicht verstanden und nicht behalten:',
  dropped: (heading, file, reason) => `${heading} (${file}): ${reason}`,
  reasons: {
    'differs within an order': 'innerhalb eines Auftrags verschieden',
    'is of a routing, not of an order': 'gehört zu einem Arbeitsplan, nicht zu einem Auftrag',
    'is empty': 'leer',
  },
  caption: (shown, all) =>
    `${number(shown)} von ${counted(all, { one: 'Auftrag', other: 'Aufträgen' })}`,
  table: {
    order: 'Auftrag',
    due: 'Liefertermin',
    operations: 'Arbeitsgänge',
    machines: 'Maschinen',
  },
  about: {
    order: 'Der Name des Auftrags',
    due: 'Wann er fertig sein soll',
    operations: 'Wie viele Arbeitsgänge er hat',
    machines: 'Seine Maschinen, in der Reihenfolge der Arbeitsgänge',
    detail: (heading) => `${heading}, wie es behalten wird`,
  },
  name: 'Name der Werkstatt (Buchstaben, Ziffern, - und _)',
  clock: 'In der Werkstatt gilt die Tageszeit',
  later:
    'Die Zeit beginnt später als jetzt: bis dahin gilt in der Werkstatt die Zeit der letzten Meldung.',
  past: 'Die Zeit beginnt vor jetzt. Was nach Plan schon begonnen hätte, gilt als erledigt.',
  open: 'Werkstatt öffnen',
};
