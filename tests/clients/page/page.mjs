// The page and the pill in a real browser, against a server that this starts and stops.
//
//   node page/page.mjs --demo PROGRAM [--chromium PROGRAM] [--pictures FOLDER]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { check, finish, same, section } from '../typescript/checks.mjs';

const { values } = parseArgs({
  options: {
    demo: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    pictures: { type: 'string' },
  },
});

const FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Starts the server; it ends when its input does. */
async function start(...options) {
  const child = spawn(values.demo, options, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.stdin.end();
    await once(child, 'exit');
  };
  return { url, port: new URL(url).port, stop };
}

const browser = await chromium.launch({ executablePath: values.chromium, args: FLAGS });

async function open(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 760, height: 560 }, ...options });
  page.setDefaultTimeout(15_000);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (said) => said.type() === 'error' && wrong.push(said.text()));
  await page.goto(url);
  return { page, wrong };
}

const pill = (page, id) => page.locator(`rea-toggle[session="${id}"] button`);
const pressed = (page, id) => pill(page, id).getAttribute('aria-pressed');
const ask = async (url, session) => (await fetch(`${url}/rea-toggle/state?session=${session}`)).json();

/** Waits until something holds. */
async function until(holds) {
  for (let turn = 0; turn < 150; turn += 1) {
    if (await holds()) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

async function picture(page, name) {
  if (values.pictures) await page.screenshot({ path: `${values.pictures}/${name}.png` });
}

const colour = (page, id) => pill(page, id).evaluate((button) => getComputedStyle(button).borderTopColor);

await section('the page', async () => {
  const server = await start('0');
  const { page, wrong } = await open(server.url);
  await pill(page, 'notes').waitFor();
  same('the list is there, in order', await page.locator('.id').allTextContents(), [
    'notes', 'firmware-1.4-vs-1.5', 'crash-in-parser',
  ]);
  same('grey is off', await pressed(page, 'notes'), 'false');
  same('green is on', await pressed(page, 'crash-in-parser'), 'true');
  const about = await page.locator('li', { hasText: 'notes' }).locator('.about').textContent();
  same('what is kept out is said as an estimate', about,
    '207 tools · 39,828 estimated o200k tokens of schema kept out of each request');
  const label = await pill(page, 'notes').getAttribute('aria-label');
  same('the pill says whose it is', label, 'rea tools in conversation notes');
  const [grey, green] = [await colour(page, 'notes'), await colour(page, 'crash-in-parser')];
  check('the colours differ', grey !== green, { grey, green });

  await pill(page, 'notes').click();
  check('a click flips', await until(async () => (await pressed(page, 'notes')) === 'true'));
  same('so the host was told', (await ask(server.url, 'notes')).enabled, true);
  same('a flip is announced', await page.getByRole('status').textContent(), 'notes: on');
  await pill(page, 'notes').focus();
  await page.keyboard.press('Space');
  check('so does the keyboard', await until(async () => (await pressed(page, 'notes')) === 'false'));
  const kept = () => page.evaluate(() => document.activeElement.getAttribute('session'));
  same('the focus stays on it', await kept(), 'notes');

  await fetch(`${server.url}/rea-toggle/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session: 'notes', enabled: true }),
  });
  check('a flip from elsewhere is seen', await until(async () => (await pressed(page, 'notes')) === 'true'));

  await page.getByLabel('Another conversation').fill('<b>a new one</b>');
  await page.keyboard.press('Enter');
  const added = '<b>a new one</b>';
  await pill(page, added).waitFor();
  same('an id is added by typing', await pressed(page, added), 'false');
  same('as text', await page.locator('.id b').count(), 0);
  await pill(page, added).click();
  check('and can be flipped', await until(async () => (await pressed(page, added)) === 'true'));
  await picture(page, 'light');
  same('nothing went wrong, no policy was broken', wrong, []);

  await server.stop();
  const silent = () => pill(page, 'notes').evaluate((button) => button.classList.contains('silent'));
  check('without the host the border turns red', await until(silent));
  check('it is that red', await until(async () => (await colour(page, 'notes')) === 'rgb(207, 34, 46)'));
  same('and it is said', await page.getByRole('status').textContent(), 'The host does not answer.');
  await picture(page, 'silent');
  const again = await start(server.port);
  check('with the host it is as before', await until(async () => !(await silent())));
  await again.stop();
  await page.close();
});

await section('the page in the dark, on a phone', async () => {
  const server = await start('0');
  const { page, wrong } = await open(server.url, { colorScheme: 'dark', viewport: { width: 340, height: 640 } });
  await pill(page, 'notes').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check('nothing is cut off', wide <= 340, wide);
  await picture(page, 'dark');
  same('nothing went wrong', wrong, []);
  await page.close();
  await server.stop();
});

await section('a host with a token', async () => {
  const token = 'a-token-of-this-test';
  const server = await start('0', '--token', token);
  const { page } = await open(server.url);
  await page.getByLabel('This host asks for its token').fill(token);
  await page.keyboard.press('Enter');
  await pill(page, 'notes').click();
  check('the page asks for it and uses it', await until(async () => (await pressed(page, 'notes')) === 'true'));
  await page.close();
  const linked = await open(`${server.url}/#token=${token}`);
  await pill(linked.page, 'notes').waitFor();
  same('a link brings it and does not keep it', new URL(linked.page.url()).hash, '');
  await linked.page.close();
  await server.stop();
});

await section('the pill in another page', async () => {
  let url = '';
  const chat = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><script type="module" src="${url}/rea-toggle/pill.js"></script>
      <rea-toggle session="notes" src="${url}" label="tools"></rea-toggle>`);
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  const page = `http://localhost:${chat.address().port}/`;
  const server = await start('0', '--allow-origin', page.slice(0, -1));
  url = server.url;
  const embedded = await open(page);
  const shown = async () => (await pill(embedded.page, 'notes').textContent()) === 'toolsoff';
  check('it shows how the conversation stands', await until(shown));
  await pill(embedded.page, 'notes').click();
  check('it flips', await until(async () => (await pressed(embedded.page, 'notes')) === 'true'));
  same('so the host was told', (await ask(url, 'notes')).enabled, true);
  await server.stop();
  const silent = () => pill(embedded.page, 'notes').evaluate((button) => button.classList.contains('silent'));
  check('without the host the border turns red', await until(silent));
  await embedded.page.close();

  const strict = await start('0');
  url = strict.url;
  const stranger = await open(page);
  await stranger.page.waitForTimeout(300);
  same('a page that is not welcome gets none', await stranger.page.evaluate(() => customElements.get('rea-toggle')), undefined);
  await stranger.page.close();
  await strict.stop();
  chat.close();
});

await browser.close();
finish();
