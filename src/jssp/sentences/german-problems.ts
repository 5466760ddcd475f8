import type { ProblemParts, ProblemSentence, ProblemSentences } from './problems.js';

const LATER = 'bitte gleich noch einmal versuchen';
const REPORT = 'bitte dem Betreuer des Dienstes melden';

const always = (problem: string, hint?: string) => (): ProblemSentence =>
  hint === undefined ? [problem] : [problem, hint];

/** The refusal of an event: `Störung an Lathe 2: …`. */
const ofEvent =
  (problem: (parts: ProblemParts) => string, hint: string) =>
  (parts: ProblemParts): ProblemSentence => [
    parts.event === '' ? problem(parts) : `${parts.event}: ${problem(parts)}`,
    hint,
  ];

/** Columns of orders by field. */
const FIELDS: Readonly<Record<string, string>> = {
  order: 'Auftrag',
  article: 'Artikel',
  quantity: 'Menge',
  release: 'frühester Beginn',
  due: 'Liefertermin',
  weight: 'Gewicht',
  step: 'Arbeitsgang (Nummer)',
  operation: 'Arbeitsgang (Name)',
  machine: 'Maschine',
  setup: 'Rüstzeit',
  per_piece: 'Stückzeit',
  duration: 'Dauer',
};

/** The problem of a file of orders, with its cell if known. */
function faultOfCell({ why, field, text }: ProblemParts['facts']): string | undefined {
  const name = FIELDS[String(field)] ?? String(field);
  if (why === 'missing') return `${name} fehlt`;
  if (why === 'number') return `${name} ist „${text}“, das ist keine Zahl`;
  if (why === 'date') return `${name} ist „${text}“, das ist kein Datum`;
}

const BEGINS: Readonly<Record<string, string>> = {
  breakdown: 'der Beginn',
  capacity: 'der Beginn',
  restored: 'die Zeit',
  arrival: 'die Freigabe',
  delay: 'das Ende',
};

/** Violated rules of plans, by violation code. */
const BROKEN: Readonly<Record<string, string>> = {
  machine_overlap: 'zwei Arbeitsgänge liegen auf einer Maschine übereinander',
  job_precedence: 'ein Arbeitsgang beginnt, bevor sein Vorgänger fertig ist',
  lag_too_short: 'ein Arbeitsgang beginnt, bevor Transport oder Liegezeit vorbei sind',
  lag_too_long: 'ein Arbeitsgang wartet länger, als er darf',
  setup: 'für das Rüsten einer Maschine ist zu wenig Zeit',
  resource_overload: 'ein Bediener oder Hilfsmittel wird öfter gebraucht, als es da ist',
  release: 'ein Arbeitsgang beginnt vor seiner Freigabe',
  deadline: 'ein Auftrag ist nach seinem spätesten Ende fertig',
  downtime: 'ein Arbeitsgang liegt in einer Stillstandszeit',
  frozen_moved: 'ein Arbeitsgang hat schon begonnen und kann nicht mehr verschoben werden',
  frozen_reassigned: 'ein Arbeitsgang hat schon auf einer anderen Maschine begonnen',
  wrong_machine: 'ein Arbeitsgang liegt auf einer Maschine, die ihn nicht ausführen kann',
  negative_time: 'ein Arbeitsgang beginnt vor dem Plan',
  absurd_time: 'ein Arbeitsgang beginnt viel zu spät',
  missing_operation: 'ein Arbeitsgang hat keine Anfangszeit',
};

/** The sentences for errors in German. */
export const germanProblems: ProblemSentences = {
  other: (status) =>
    status !== null && status >= 500 ? 'Der Dienst kann das gerade nicht' : 'Das geht so nicht',

  operation_finished: ofEvent(
    ({ facts, time }) =>
      facts.done === undefined
        ? 'der Arbeitsgang ist schon fertig'
        : `der Arbeitsgang ist seit ${time(facts.done)} fertig, jetzt ist ${time(facts.now)}`,
    'ändern lässt sich nur, was läuft oder noch kommt',
  ),
  operation_started: ofEvent(
    ({ facts, time }) =>
      facts.started === undefined
        ? 'alle Arbeitsgänge des Auftrags haben schon begonnen'
        : `der Arbeitsgang läuft seit ${time(facts.started)}, jetzt ist ${time(facts.now)}`,
    'verzögern lässt sich nur, was noch nicht begonnen hat',
  ),
  unknown_step: ofEvent(
    ({ facts }) => `der Auftrag hat keinen Arbeitsgang ${facts.step}`,
    'einen Arbeitsgang wählen, den es gibt',
  ),
  already_longer: ofEvent(
    ({ facts, time }) =>
      `der Arbeitsgang läuft schon länger als gemeldet und ist nicht fertig, jetzt ist ${time(facts.now)}`,
    'eine längere Dauer angeben',
  ),
  job_finished: ofEvent(
    () => 'vom Auftrag ist nichts mehr zu tun',
    'stornieren lässt sich nur, was noch nicht fertig ist',
  ),
  machine_up: ofEvent(
    ({ facts, time }) => `die Maschine steht gar nicht (${time(facts.at)})`,
    'eine Maschine wählen, die steht',
  ),
  capacity_usual: ofEvent(
    () => 'es steht alles zur Verfügung, was da ist',
    'eine Änderung beenden, die noch gilt',
  ),
  cannot_do: ofEvent(
    () => 'diese Maschine führt den Arbeitsgang nicht aus',
    'eine Maschine wählen, die ihn ausführen kann',
  ),
  before_now: ofEvent(
    ({ facts, time }) =>
      `${BEGINS[String(facts.kind)] ?? 'die Zeit'} (${time(facts.begin)}) liegt in der Vergangenheit: jetzt ist ${time(facts.now)}`,
    'eine spätere Zeit angeben',
  ),
  not_known_yet: ofEvent(
    ({ facts, time }) => `das wird erst ${time(facts.at)} bekannt, jetzt ist ${time(facts.now)}`,
    'später melden',
  ),
  unknown_job: ofEvent(() => 'diesen Auftrag gibt es nicht', 'einen Auftrag wählen, den es gibt'),
  unknown_machine: ofEvent(
    () => 'diese Maschine gibt es nicht',
    'eine Maschine wählen, die es gibt',
  ),
  unknown_resource: ofEvent(
    () => 'diese Ressource gibt es nicht',
    'eine Ressource wählen, die es gibt',
  ),
  bad_time: always('das ist keine Zeit dieser Werkstatt', 'Datum und Uhrzeit prüfen'),
  before_epoch: ({ facts, time }) => [
    'der Zeitpunkt liegt vor dem Beginn des Plans',
    facts.from === undefined ? 'einen späteren angeben' : `${time(facts.from)} oder später angeben`,
  ],
  bad_start: always('diesen Arbeitsgang gibt es nicht', 'einen wählen, den es gibt'),
  bad_order: ({ facts }) => {
    const line = facts.line === undefined ? '' : `, Zeile ${facts.line}`;
    const order = facts.order === undefined || facts.order === '' ? '' : ` (${facts.order})`;
    const place = facts.file === undefined ? '' : `${facts.file}${line}${order}: `;
    const fault = faultOfCell(facts);
    if (fault === undefined) return undefined;
    return [`${place}${fault}`, 'die Datei oder die Zuordnung der Spalten ändern'];
  },
  name_taken: ({ facts }) => [
    `es gibt schon einen Auftrag „${facts.name}“`,
    'einen anderen Namen angeben',
  ],

  bad_now: ({ facts, time }) => [
    facts.last === undefined
      ? 'die Zeit passt nicht zur Uhr der Werkstatt'
      : `das kommt zu spät: in der Werkstatt ist es schon ${time(facts.last)}`,
    'die Zeit prüfen',
  ],
  nothing_to_undo: ({ facts }) => [`nach Version ${facts.version} gibt es nichts zurückzunehmen`],
  other_version: ({ facts }) => [
    `der Vorschlag ist für Version ${facts.version} gemacht, inzwischen gilt Version ${facts.followed}`,
    'auf der neuen Version noch einmal vorschlagen',
  ],
  no_report: ({ facts }) => [
    facts.withdrawn === undefined
      ? `Version ${facts.version} ist durch keine Meldung entstanden`
      : `die Meldung zu Version ${facts.version} wurde schon zurückgezogen, mit Version ${facts.withdrawn}`,
    'die Version der falschen Meldung wählen',
  ],
  built_upon: always(
    'was seitdem begonnen hat, baut auf der Meldung auf',
    'stattdessen melden, was jetzt anders ist',
  ),
  no_version: ({ facts }) => [`es gibt keine Version ${facts.version}`],
  no_proposal: ({ facts }) => [
    facts.by === undefined
      ? 'dieser Vorschlag wartet nicht mehr auf eine Antwort'
      : `${facts.by} hat den Vorschlag schon ${facts.approved === true ? 'angenommen' : 'abgelehnt'}`,
  ],
  proposal_waits: always('ein Vorschlag wartet auf eine Entscheidung', 'erst darüber entscheiden'),
  shop_ended: always('die Werkstatt ist geschlossen'),
  shop_exists: always(
    'eine Werkstatt mit diesem Namen gibt es schon',
    'einen anderen Namen wählen',
  ),
  no_shop: ({ facts }) => [
    facts.id === undefined
      ? 'diese Werkstatt gibt es nicht'
      : `es gibt keine Werkstatt „${facts.id}“`,
  ],
  other_request: always('diese Anfrage wurde schon mit anderem Inhalt gestellt', 'neu melden'),
  bad_change: always('diese Änderung gibt es nicht'),

  Denied: ({ facts }) => [
    `${facts.by} hat abgelehnt${facts.reason === '' ? '' : `: ${facts.reason}`}`,
  ],
  WaitTimeout: always('niemand hat rechtzeitig geantwortet'),
  Refused: ({ facts }) => [
    facts.edits !== undefined
      ? `er ändert ${facts.edits} Arbeitsgänge, erlaubt sind ${facts.most}`
      : `der Prüfer lehnt ihn ab${BROKEN[String(facts.violation)] === undefined ? '' : `: ${BROKEN[String(facts.violation)]}`}`,
  ],
  outdated: ({ facts, time }) => [
    `es war inzwischen ${time(facts.now)}, der Vorschlag wurde neu gerechnet`,
  ],
  no_repair: always('kein Vorschlag wurde angenommen; es bleibt bei der letzten Version'),

  no_token: always('zum Anmelden wird ein Zugangscode gebraucht'),
  bad_token: always('diesen Zugangscode kennt der Dienst nicht'),
  forbidden: always(
    'mit diesem Zugangscode ist das nicht erlaubt',
    'jemanden fragen, der entscheiden darf',
  ),
  foreign_host: always('der Dienst ist unter diesem Namen nicht erreichbar', REPORT),
  foreign_origin: always('die Anfrage kommt von einer fremden Seite'),
  busy: always('gerade ist zu viel zu rechnen; nichts wurde eingetragen', LATER),
  too_many_requests: always('zu viele Anfragen auf einmal', LATER),
  too_many_streams: always(
    'zu viele Seiten sind gleichzeitig offen',
    'eine schließen, oder später versuchen',
  ),
  too_many_shops: always('es sind schon zu viele Werkstätten offen', 'eine schließen'),
  too_many_operations: always('das sind zu viele Arbeitsgänge', 'weniger auf einmal angeben'),
  shop_quarantined: always(
    'die Werkstatt ist gesperrt, weil eine Berechnung nicht zu Ende kam',
    REPORT,
  ),
  shop_opening: always('die Werkstatt wird gerade geöffnet', LATER),
  not_quarantined: always('die Werkstatt ist nicht gesperrt'),
  out_of_time: always('die Berechnung dauert zu lange', 'weniger verlangen'),
  out_of_memory: always('die Berechnung braucht zu viel Speicher', 'weniger verlangen'),
  ending: always('der Dienst wird gerade beendet', LATER),
  too_large: always('das ist zu groß', 'weniger auf einmal senden'),
  too_slow: always('die Anfrage kam zu langsam an', LATER),
  bad_request: always('die Anfrage ist so nicht richtig', 'die Angaben prüfen'),
  bad_media_type: always('diese Art von Inhalt kennt der Dienst nicht'),
  bad_policy: always('diese Regel zum Umplanen ist nicht richtig'),
  no_policy: always('diese Regel zum Umplanen gibt es nicht'),
  not_found: always('unter dieser Adresse gibt es nichts'),
  bad_method: always('das geht unter dieser Adresse nicht'),
  unwritable_file: always('das Protokoll der Werkstätten ist gerade nicht benutzbar', LATER),
  locked_log: always('das Protokoll der Werkstätten ist gerade nicht benutzbar', LATER),
  no_file: always('das Protokoll der Werkstätten ist gerade nicht benutzbar', LATER),
  damaged_log: always('das Protokoll der Werkstatt ist beschädigt', REPORT),
  changed_log: always('das Protokoll der Werkstatt wurde verändert', REPORT),
  run_owned: always('ein anderer Dienst hat die Werkstatt noch', LATER),
  not_owner: always('ein anderer Dienst hat die Werkstatt noch', LATER),
  internal: always('das ist ein Fehler des Dienstes', REPORT),
};
