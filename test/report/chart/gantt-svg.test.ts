import { expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { ganttSvg } from '../../../src/report/chart/gantt-svg.js';
import { jobColour } from '../../../src/report/chart/job-colours.js';
import { timeMarks } from '../../../src/report/chart/time-axis.js';
import { viewSchedule } from '../../../src/report/page/views/schedule-view.js';

const jobs = [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 1],
  ],
] as const;

it('a drawing has a bar an operation, its critical path, and where rules are broken', () => {
  const shop = instanceFromJobs('shop', jobs);
  const sound = ganttSvg(viewSchedule(shop, createSchedule(shop, Int32Array.of(0, 4, 0, 4))));
  expect(sound.match(/class="bar operation"/g)).toHaveLength(4);
  expect(sound.match(/<rect class="critical" x/g)).toHaveLength(2);
  expect(sound).toContain('job 1, step 2: 4 to 6, slack 0');
  expect(sound).not.toContain('class="fault"');
  const faulty = ganttSvg(viewSchedule(shop, createSchedule(shop, Int32Array.of(0, 2, 0, 4))));
  expect(faulty.match(/<rect class="fault" x/g)).toHaveLength(2);
});

it('names of instances are text and nothing else', () => {
  const shop = instanceFromJobs('</svg><script>alert(1)</script>&\u0000"', jobs);
  const svg = ganttSvg(viewSchedule(shop, createSchedule(shop, Int32Array.of(0, 4, 0, 4))));
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;\uFFFD&quot;');
});

it('text on bars can be read: the contrast of WCAG 2.2 is 4.5 or more', () => {
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (let job = 0; job < 24; job++) {
    const { fill, text } = jobColour(job);
    const [dark, light] = [luminance(fill), luminance(text)].sort((a, b) => a - b);
    expect((light + 0.05) / (dark + 0.05), fill).toBeGreaterThanOrEqual(4.5);
  }
});

it('a time axis has marks at round times', () => {
  expect(timeMarks(0, 1054, 10)).toEqual([0, 200, 400, 600, 800, 1000]);
  expect(timeMarks(37, 42, 10)).toEqual([37, 38, 39, 40, 41, 42]);
});
