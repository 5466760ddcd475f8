import { numbersIn } from '@alas-jssp/core/counted';
import { GERMAN_CLOCK } from 'alas-jssp/page';
import type { PageTexts } from './en.js';

const { counted } = numbersIn('de');

const operations = (count: number) => counted(count, { one: 'Arbeitsgang', other: 'Arbeitsgänge' });

/** The texts of the chart in German. */
export const germanChart: PageTexts['chart'] = {
  clock: GERMAN_CLOCK,
  job: (count) => `Auftrag ${count}`,
  machine: (count) => `Maschine ${count}`,
  step: (count) => `Arbeitsgang ${count}`,
  tools: {
    zoomIn: 'vergrößern',
    zoomOut: 'verkleinern',
    earlier: 'früher',
    later: 'später',
    whole: 'alles',
    now: 'jetzt',
    rows: 'Zeilen',
    machines: 'Maschinen',
    jobs: 'Aufträge',
    resources: 'Personal und Werkzeuge',
    allRows: 'alle Zeilen',
    critical: 'kritischer Pfad',
    short: 'Ruhezeiten verkürzt',
    keys: 'Tasten',
  },
  keys: [
    ['← →', 'Arbeitsgang davor oder danach in der Zeile'],
    ['↑ ↓', 'Arbeitsgang zur selben Zeit in der nächsten Zeile'],
    ['j, Shift j', 'nächster oder voriger Arbeitsgang des Auftrags'],
    ['c, v, m', 'nächster auf dem kritischen Pfad, mit Regelverstoß, verschobener'],
    ['+ −', 'Maßstab'],
    ['Shift ← →', 'Ausschnitt verschieben'],
    ['0', 'alles'],
    ['Esc', 'nichts ausgewählt'],
  ],
  canvas: (label) =>
    `${label}. Pfeiltasten gehen von Arbeitsgang zu Arbeitsgang, Plus und Minus ändern den Maßstab.`,
  hint: (count) => `${operations(count)}. Einen antippen, um mehr zu erfahren.`,
  drag: 'auf eine andere Zeit oder Maschine ziehen, oder Enter und dann die Pfeiltasten drücken',
  now: (time) => `jetzt ${time}`,
  operation: {
    none: 'ohne Anfangszeit',
    time: (start, end) => `${start} bis ${end}`,
    choice: (machines) => `eine von ${machines} möglichen Maschinen`,
    setup: (start, end) => `Rüsten ${start} bis ${end}`,
    slack: (duration) => `Puffer ${duration}`,
    critical: 'auf dem kritischen Pfad',
    fixed: 'Beginn ist fest',
    due: (time, late) => `Liefertermin ${time}${late === null ? '' : `, ${late} verspätet`}`,
    isNew: 'neu',
    was: (start, end) => `zuvor ${start} bis ${end}`,
    violation: (message) => `Regelverstoß: ${message}`,
  },
  legend: {
    moves: 'jede Zeile: oben vorher, unten nachher; was bleibt, ist blass',
    outlines: 'gestrichelter Umriss: vorher; was bleibt, ist blass',
    critical: 'kritischer Pfad',
    down: 'Maschine steht',
    setup: 'Rüsten der Maschine',
    away: 'nicht da',
    closed: 'planmäßig geschlossen',
    short: '// an der Achse: Ruhezeit, verkürzt gezeichnet',
    due: '▼ Liefertermin des gezeigten Auftrags; rotes Ende: verspätet',
    violation: 'verletzt eine Regel; gestrichelt mit Ecke: falsche Angabe',
    now: 'gestrichelte Linie: jetzt; Erledigtes ist blasser',
  },
  causes: {
    event: 'von der Meldung betroffen',
    fault: 'Teil eines Regelverstoßes',
    missing: 'hatte keine Anfangszeit',
    new: 'neu: der Auftrag ist gerade gekommen',
    job: 'wartet auf seinen Auftrag',
    machine: 'wartet auf seine Maschine',
    reassigned: 'auf einer anderen Maschine',
    place: 'anderer Platz in der Warteschlange',
    earlier: 'beginnt früher',
    limit: 'durch Fixiertes bestimmt',
    later: 'mit den anderen verschoben',
  },
};
