// Draws a BPMN file with bpmn-js in headless Chromium: `npm run bench -- bpmn-picture FILE [OUT.png|OUT.svg] [PAGE]`.
// PAGE is the number of the diagram: the first is the process, the others are its closed sub-processes.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const chromium = process.env.CHROMIUM ?? 'chromium';
const [file, out = `${file}.png`, page = '0'] = process.argv.slice(2);
const usage = 'npm run bench -- bpmn-picture FILE [OUT.png|OUT.svg] [PAGE]';
if (['--help', '-h'].includes(file)) {
  console.log(usage);
  process.exit(0);
}
if (file === undefined || !existsSync(file)) {
  console.error(
    `${file === undefined ? 'name a BPMN file' : `there is no file ${file}`}: ${usage}`,
  );
  process.exit(2);
}

const viewer = createRequire(import.meta.url).resolve('bpmn-js/dist/bpmn-viewer.production.min.js');
const [xml, library] = await Promise.all([readFile(file, 'utf8'), readFile(viewer, 'utf8')]);
const folder = await mkdtemp(join(tmpdir(), 'bpmn-picture-'));
try {
  const html = join(folder, 'page.html');
  await writeFile(html, pageOf(xml, library));
  const dom = await browse(['--dump-dom', `file://${html}`]);
  const svg = svgOf(dom);
  if (out.endsWith('.svg')) await writeFile(out, svg);
  else await takePicture(svg);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A page that draws the diagram and then holds its picture as text. */
function pageOf(text: string, script: string) {
  const safe = (value: unknown) => JSON.stringify(value).replaceAll('</', '<\\/');
  return `<!doctype html><meta charset="utf-8"><div id="canvas" style="width:4000px;height:4000px"></div>
<script>${script}</script><script>
const viewer = new BpmnJS({ container: '#canvas' });
(async () => {
  const { warnings } = await viewer.importXML(${safe(text)});
  if (warnings.length > 0) throw new Error(warnings.map(({ message }) => message).join('; '));
  await viewer.open(viewer.getDefinitions().diagrams[${Number(page)}]);
  const { svg } = await viewer.saveSVG();
  document.body.textContent = 'SVG:' + btoa(unescape(encodeURIComponent(svg))) + ':END';
})().catch((error) => { document.body.textContent = 'ERROR:' + error.message + ':END'; });
</script>`;
}

function svgOf(dom: string) {
  const found = /SVG:([A-Za-z0-9+/=]+):END/.exec(dom);
  if (found !== null) return Buffer.from(found[1], 'base64').toString('utf8');
  throw new Error(/ERROR:([\s\S]*):END/.exec(dom)?.[1] ?? 'the page drew nothing');
}

async function takePicture(svg: string) {
  const [width, height] = ['width', 'height'].map((key) => {
    return Math.ceil(Number(new RegExp(`<svg[^>]* ${key}="([\\d.]+)"`).exec(svg)?.[1] ?? 800));
  });
  const picture = join(folder, 'picture.html');
  await writeFile(picture, `<!doctype html><meta charset="utf-8"><body style="margin:0">${svg}`);
  await browse([`--window-size=${width},${height}`, `--screenshot=${out}`, `file://${picture}`]);
}

async function browse(options: string[]) {
  const always = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  const wait = ['--virtual-time-budget=20000'];
  const limits = { maxBuffer: 64 * 1024 * 1024, timeout: 60_000 };
  return (await run(chromium, [...always, ...wait, ...options], limits)).stdout;
}
