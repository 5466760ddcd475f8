import { numbersIn } from '@alas-jssp/core/counted';
import type { Sentences } from './english.js';
import { GERMAN_CLOCK } from './german-clock.js';
import { germanProblems } from './german-problems.js';

const numbers = numbersIn('de');
const { counted, number } = numbers;
const operations = (count: number) => counted(count, { one: 'Arbeitsgang', other: 'Arbeitsgänge' });

/** A time after `um`, `am` or `bei`, in any form: `14:10`, `Mo 23.11. 14:10` or `120`. */
function at(time: string): string {
  if (/^\d+$/.test(time)) return `bei ${time}`;
  return /^\d\d?:/.test(time) ? `um ${time}` : `am ${time}`;
}

/** The sentences about shops in German. */
export const german: Sentences = {
  language: 'de',
  clock: GERMAN_CLOCK,
  numbers,
  someone: 'jemand',

  names: {
    job: (count) => `Auftrag ${count}`,
    machine: (count) => `Maschine ${count}`,
    step: (count) => `Arbeitsgang ${count}`,
    resource: (count) => `Ressource ${count}`,
    list: (names) => `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`,
    oneOf: (names) => `${names.slice(0, -1).join(', ')} oder ${names.at(-1)}`,
    machines: (list) => `Maschinen ${list}`,
    countedMachines: (count) => counted(count, { one: 'Maschine', other: 'Maschinen' }),
  },

  plan: {
    makespan: (time) => `Durchlaufzeit ${time}`,
    makespanChange: (before, after) => `Durchlaufzeit ${before} → ${after}`,
    end: (time) => `alles fertig bis ${time}`,
    asBefore: 'wie zuvor',
    insteadOf: (time) => `statt ${time}`,
    afterShifts: (until, end) =>
      `Schichten sind bis ${until} bekannt: Arbeit danach, bis ${end}, ist rund um die Uhr geplant; mit einem späteren --horizon neu importieren`,
  },

  moves: {
    starts: (operation, time, why) => `${operation} beginnt ${at(time)}: ${why}`,
    waits: (operation, duration, why) => `${operation} wartet ${duration}: ${why}`,
    cannotStart: (operation, wish, start) =>
      `${operation} kann nicht ${at(wish)} beginnen, sondern ${at(start)}`,
    earlier: (operation, duration, why) => `${operation} beginnt ${duration} früher: ${why}`,
    reassigned: (operation, from, to, time, why) =>
      `${operation} wechselt von ${from} auf ${to}, ${at(time)}: ${why}`,
  },

  causes: {
    job: (other) => `kommt im Auftrag nach ${other}`,
    machine: (other, machine) => `kommt auf ${machine} nach ${other}`,
    place: (machine) => `hat einen anderen Platz in der Warteschlange von ${machine}`,
    earlier: 'vorher ist jetzt Platz',
    reassigned: (machine) => `auf ${machine} ist Platz`,
    handedOver: (to) => `${to} kann das übernehmen`,
    otherMode: (machine) => `wird auf ${machine} anders ausgeführt`,
    limit: 'der Platz ergibt sich aus dem, was fixiert ist',
    later: 'wurde mit allen anderen verschoben',
    new: 'der Auftrag ist gerade hereingekommen',
    undo: (version) => `es geht zurück auf Version ${version}`,
    withdrawal: (version) => `die Meldung zu Version ${version} wurde zurückgezogen`,
    byHand: (name) => `${name} hat die Anfangszeiten vorgeschlagen`,
  },

  effects: {
    down: (machine, until) => `${machine} steht bis ${until}`,
    willBeDown: (machine, from, to) => `${machine} steht von ${from} bis ${to}`,
    restored: (machine) => `${machine} läuft wieder`,
    factor: (operation, factor) => `${operation} dauert ${number(factor)}-mal so lange`,
    takes: (operation, duration) => `${operation} dauert ${duration}`,
    arrival: (job) => `${job ?? 'ein Auftrag'} ist neu hereingekommen`,
    cancellation: (job) => `${job} wurde storniert`,
    delay: (operation, until) => `${operation} verzögert sich bis ${until}`,
    capacity: (resource, amount, from, to) =>
      amount === 0
        ? `${resource} fehlt von ${from} bis ${to}`
        : `${resource}: nur ${number(amount)} verfügbar von ${from} bis ${to}`,
    alternative: (machine, operation) => `${machine} darf jetzt ${operation} ausführen`,
  },

  pins: {
    pin: (operation, time) => `${operation} ${at(time)}`,
    lost: (pin, why) => `der fixierte Beginn von ${pin} ist nicht zu halten: ${why}`,
    earliest: (time) => `früher als ${time} geht es nicht`,
    conflict: (pins) => `kein Plan hält ihn zusammen mit ${pins}`,
    queue: 'kein Plan hält ihn und die Reihenfolge der gesperrten Maschinen',
    'not-found': 'es wurde kein Plan gefunden, der ihn hält; ob es einen gibt, ist nicht bekannt',
    method: (method) => `das Verfahren ${method} beachtet fixierte Zeiten nicht`,
  },

  events: {
    breakdown({ machines, from, to, isEstimated, isWorkLost }) {
      const end = to === null ? '' : ` bis ${to}`;
      const down =
        from === null
          ? `Störung an ${machines}${end}`
          : `Stillstand an ${machines} ${to === null ? 'ab' : 'von'} ${from}${end}`;
      const mark = to !== null && isEstimated ? ' (geschätzt)' : '';
      return `${down}${mark}${isWorkLost ? ', die begonnene Arbeit ist verloren' : ''}`;
    },
    restored: (machine) => `${machine} läuft wieder`,
    step: (job, step) => {
      if (step === null) return job;
      return typeof step === 'string' ? `${job}, ${step}` : `${job}, Arbeitsgang ${step}`;
    },
    takes: (operation, duration) => `${operation} dauert ${duration}`,
    factor: (operation, factor) => `${operation} dauert ${number(factor)}-mal so lange`,
    arrival: (job, count) =>
      `neuer Auftrag${job === null ? '' : ` ${job}`} mit ${counted(count, { one: 'Arbeitsgang', other: 'Arbeitsgängen' })}`,
    cancellation: (job) => `${job} storniert`,
    delay: (operation, until) => `${operation} verzögert sich bis ${until}`,
    capacity: (resource, amount, from, to) => {
      const what = amount === 0 ? `${resource} fehlt` : `${resource}: ${number(amount)} verfügbar`;
      const begin = from === null ? '' : ` ${to === null ? 'ab' : 'von'} ${from}`;
      return `${what}${begin}${to === null ? '' : ` bis ${to}`}`;
    },
    alternative: (machine, operation, duration) =>
      `${machine} darf ${operation} ausführen, in ${duration}`,
  },

  story: {
    plan: (end) => `Version 1 ist der Plan${end === null ? '' : `, alles fertig bis ${end}`}`,
    closed: (by) => `geschlossen${by === null ? '' : ` von ${by}`}`,
    at: (time, news) => `${time}: ${news}`,
    version: (version) => `Version ${version}`,
    approvedBy: (name) => `, angenommen von ${name}`,
    unopposed: ', niemand hat rechtzeitig widersprochen',
    waits: (approval) =>
      `${approval.replace(/^version-/, 'Version ')} wartet auf eine Entscheidung`,
    skipped: (reason) => `zu spät oder abgelehnt: ${reason}`,
    byRow: (row) => `repariert nach der Zeile ${row}`,
    lost: (count) => `${operations(count)} ${count === 1 ? 'muss' : 'müssen'} von vorn beginnen`,
    started: (count) =>
      `${operations(count)} ${count === 1 ? 'hat begonnen und bleibt' : 'haben begonnen und bleiben'}`,
    notAccepted: (method, reason) =>
      `der Vorschlag (${method === 'by hand' ? 'von Hand' : method}) wurde nicht angenommen: ${reason}`,
    moved: (count, method) => {
      const what = count === 0 ? 'nichts' : operations(count);
      const verb = count > 1 ? 'verschieben sich' : 'verschiebt sich';
      return `${method === null ? '' : `Verfahren ${method}: `}${what} ${verb}`;
    },
    placed: (count) => `${count} ${count === 1 ? 'neuer wird' : 'neue werden'} eingeplant`,
    kept: (count, version) =>
      `${operations(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht auf Version ${version} zurück`,
    undo: (who, version) =>
      version === null
        ? `${who} wollte zurückgehen`
        : `${who} ist auf Version ${version} zurückgegangen`,
    wantedToUndo: (who, version) => `${who} wollte auf Version ${version} zurückgehen`,
    propose: (who) => `${who} hat Anfangszeiten vorgeschlagen`,
    withdrew: (who, version, what, instead) =>
      `${who} hat die Meldung zu Version ${version} zurückgezogen (${what})${instead === '' ? '' : `; stattdessen ${instead}`}`,
    wantedToWithdraw: (who, version) =>
      `${who} wollte die Meldung zu Version ${version} zurückziehen`,
    ended: (why) => `beendet: ${why}`,
    waitsForApproval: (name) =>
      `${name.replace(/^version-/, 'Version ')} wartet auf eine Entscheidung`,
    waitsForCommand: 'wartet auf Meldungen',
    interrupted: 'unterbrochen, oder läuft gerade weiter',
    proposalWaits: 'ein Vorschlag wartet noch auf eine Entscheidung',
    shopEnded: (status) => `die Werkstatt ist geschlossen (${status})`,
  },

  problems: germanProblems,
};
