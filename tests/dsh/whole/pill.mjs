// The pill in a real browser on the real page: `playwright-core` drives the browser of the system.

import { writeFileSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { check, same } from '../../clients/typescript/checks.mjs';

/** The sessions are `{id, title}`, the first one on. Flips by click and key, in two tabs, with the host's route gone, in both languages. Ends with the first session off. */
export async function pill({ web, sessions: [one, two], options, until, unplug, plug }) {
  const browser = await chromium.launch({ executablePath: options.browser, args: ['--no-sandbox'] });
  try {
    const language = (locale) => browser.newContext({ locale, viewport: { width: 1280, height: 640 }, deviceScaleFactor: 1 });
    const english = await language('en-GB');
    const open = async (context, session) => {
      const page = await context.newPage();
      await page.goto(`${web.address}/`);
      await show(page, session);
      return page;
    };
    const button = (page) => page.getByRole('switch', { name: /REA/u });
    const shows = async (page, state, broken = false) => until(`the pill shows ${state}`, async () => {
      const [now, mark] = await Promise.all(['data-state', 'data-broken'].map((name) => button(page).getAttribute(name, { timeout: 20_000 })));
      return now === state && (mark !== null) === broken;
    }).then(() => true);
    const border = (page) => button(page).evaluate((element) => getComputedStyle(element).borderTopColor);

    const page = await open(english, one);
    same('it shows how the session stands', await shows(page, 'on'), true);
    same('in words', await button(page).textContent(), 'REA on');
    const green = await border(page);
    if (options.screenshot) await picture(page, button(page), options.screenshot);

    const box = await button(page).boundingBox();
    const composer = await page.locator('textarea, [contenteditable="true"]').first().boundingBox();
    check('below the composer', box.y > composer.y, { box, composer });

    const other = await open(english, one);
    await shows(other, 'on');
    await button(page).click();
    await shows(page, 'off');
    same('a click switches, and grey is another colour than green', (await web.state(one.id)).enabled || (await border(page)) === green, false);
    await other.bringToFront();
    same('a second tab follows', await shows(other, 'off'), true);
    await button(other).focus();
    await other.keyboard.press('Space');
    same('a key switches', await shows(other, 'on'), true);
    same('the other tab follows', await shows(page, 'on'), true);
    await other.close();

    await show(page, two);
    same('another session has its own', await shows(page, 'off'), true);
    await show(page, one);
    same('and back', await shows(page, 'on'), true);
    await web.type(one.id, '/rea off');
    same('it follows the command', await shows(page, 'off'), true);

    const plain = await border(page);
    unplug();
    same('the host’s page in place of an answer: it is broken', await shows(page, 'off', true), true);
    const red = await border(page);
    check('red', /^rgb\((?:2\d\d|1[5-9]\d), (?:\d\d?|1[0-2]\d), (?:\d\d?|1[0-2]\d)\)$/u.test(red) && red !== plain, { red, plain });
    plug();
    same('it recovers', await shows(page, 'off'), true);

    const chinese = await open(await language('zh-CN'), one);
    await shows(chinese, 'off');
    same('in Chinese', await button(chinese).textContent(), 'REA 关');
    await web.type(one.id, '/rea off');
  } finally {
    await browser.close();
  }

  /** Opens a session as a person does: in the list at the side, by its title. */
  async function show(page, { title }) {
    const row = page.locator('[role=treeitem]').getByText(title, { exact: true }).first();
    const folded = page.locator('[role=treeitem][aria-expanded=false]');
    const notice = page.locator('[role=dialog] button').last();
    await until(`the session ${title} in the list`, async () => {
      if (await row.isVisible()) return true;
      // On the first visit there is a notice, and the list is folded.
      const next = await notice.isVisible() ? notice : folded.first();
      await next.click({ timeout: 2000 }).catch(() => {});
      return false;
    });
    await row.click();
  }
}

/** A picture of the pill and the composer, for people. */
async function picture(page, button, file) {
  const box = await button.boundingBox();
  const width = 800;
  const clip = { x: Math.max(0, box.x + box.width / 2 - width / 2), y: Math.max(0, box.y - 132), width, height: 162 };
  writeFileSync(file, await page.screenshot({ clip }));
}
