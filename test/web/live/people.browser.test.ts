/**
 * Tests a person's actions on the dashboard of a real legion whose workers are waiting for a
 * person.
 */
import { describe, expect, test } from 'vitest';
import { AUTO_MERGE_FILES } from '../../e2e/support/legion.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { findCard, setUpDashboard } from './dashboard-legion.ts';
import { createLoginAddress, openVisit } from './visit.ts';

const CLEAR = {
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};
const QUESTION = 'Red or blue?';
const CONTINUES = 'now I know the colour';

describe.runIf(chromiumPath !== undefined)('person on the dashboard', () => {
  const suite = setUpDashboard({
    yaml: 'approvals: { architect: auto, merge: required }\n',
    files: AUTO_MERGE_FILES,
    scenario: [
      {
        title: 'colour',
        mode: 'plan',
        purpose: 'start',
        steps: [
          { ask: QUESTION },
          { say: CONTINUES },
          { handoff: { summary: 'in the colour they chose' } },
          { done: 'planned' },
        ],
      },
    ],
  });

  const commentsOn = async (id: string) => {
    const { comments } = await suite.daemon.get<{ comments: { text: string }[] }>(`/issues/${id}`);
    return comments.map(({ text }) => text).join('\n');
  };

  test('answers a question in the inbox, and the worker continues', async () => {
    const id = await suite.add({ ...CLEAR, title: 'Greet in a colour', status: 'Backlog' });
    await using visit = await suite.visit('/ui/inbox');
    const { page, pageErrors } = visit;
    const asked = page.getByRole('article', { name: 'Greet in a colour' });
    await asked.getByText(QUESTION).waitFor();
    await asked.getByRole('textbox', { name: `Your answer to ${id}` }).fill('Blue, like the sea.');
    await asked.getByRole('button', { name: 'Answer' }).click();
    await page.getByText(QUESTION).waitFor({ state: 'detached' });
    await page.goto(`${suite.daemon.url}/ui/issues/${id}?tab=transcript&worker=plan`);
    await page.getByText(CONTINUES).waitFor();
    expect(await commentsOn(id)).toContain('Blue, like the sea.');
    expect(pageErrors).toEqual([]);
  });

  test('approves a merge after reading its conditions, and Legion then performs the merge', async () => {
    const id = await suite.add({ ...CLEAR, title: 'Greet by name', status: 'Backlog' });
    await using visit = await suite.visit('/ui/inbox');
    const { page, pageErrors } = visit;
    const merge = page.getByRole('article', { name: 'Greet by name' });
    await merge.getByText('Every condition is met').waitFor();
    await merge.getByText('CI passes at this commit').first().waitFor();
    await merge.getByRole('button', { name: 'Approve merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve merge' }).click();
    await merge.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Board/ }).click();
    await findCard(page, 'Done', id).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('logs in, opens an issue, moves it and answers in the inbox, all with the keyboard alone', async () => {
    const asking = await suite.add({ ...CLEAR, title: 'Part in a colour', status: 'Backlog' });
    const resting = await suite.add({ ...CLEAR, title: 'Greet in Latin', status: 'Icebox' });
    await using visit = await openVisit(suite.browser);
    const { page, pageErrors } = visit;
    const { keyboard } = page;
    await page.addInitScript(
      'addEventListener("pointerdown", () => { sessionStorage.pointer = "used"; }, true)',
    );
    await page.goto(`${suite.daemon.url}/ui/`);
    await page.getByRole('heading', { name: 'Open the dashboard from a terminal' }).waitFor();
    await page.goto('about:blank');
    await page.goto(await createLoginAddress(suite.daemon, '/ui/'));
    await page.locator(`[data-card="${resting}"]`).waitFor();

    const focused = () => page.evaluate('document.activeElement.getAttribute("data-card")');
    for (let step = 0; step < 10 && (await focused()) !== resting; step += 1)
      await keyboard.press('ArrowRight');
    for (let step = 0; step < 10 && (await focused()) !== resting; step += 1) await keyboard.press('j');
    expect(await focused()).toBe(resting);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Greet in Latin' }).waitFor();
    await page.getByRole('button', { name: 'All actions' }).and(page.locator(':enabled')).waitFor();
    await keyboard.press('m');
    await page.getByRole('menu', { name: `Move ${resting} to` }).waitFor();
    await keyboard.press('End');
    await keyboard.press('Enter');
    await page.getByText(`${resting} moved to Done`).first().waitFor();

    await keyboard.press('g');
    await keyboard.press('i');
    await page.getByText(QUESTION).waitFor();
    await keyboard.press('j');
    await keyboard.press('a');
    await keyboard.type('Red, like the evening.');
    await keyboard.press('Control+Enter');
    await page.getByText(QUESTION).waitFor({ state: 'detached' });
    expect(await commentsOn(asking)).toContain('Red, like the evening.');
    expect(await page.evaluate('sessionStorage.pointer ?? "unused"')).toBe('unused');
    // Without a session, the first request gets a 401, which every browser logs as an error.
    expect(pageErrors.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
