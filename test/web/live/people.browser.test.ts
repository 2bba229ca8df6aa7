/** What a person does on the dashboard of a real legion, with real workers waiting for it. */
import { describe, expect, test } from 'vitest';
import { MERGING } from '../../e2e/support/legion.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { cardIn, stage } from './dashboard-legion.ts';
import { addressOf, newVisit } from './visit.ts';

const CLEAR = {
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};
const QUESTION = 'Red or blue?';
const GOES_ON = 'now I know the colour';

describe.runIf(chromiumPath !== undefined)('a person at the dashboard', () => {
  const house = stage({
    yaml: 'approvals: { architect: auto, merge: required }\n',
    files: MERGING,
    scenario: [
      {
        title: 'colour',
        mode: 'plan',
        purpose: 'start',
        steps: [
          { ask: QUESTION },
          { say: GOES_ON },
          { handoff: { summary: 'in the colour they chose' } },
          { done: 'planned' },
        ],
      },
    ],
  });

  const commentsOn = async (id: string) => {
    const { comments } = await house.daemon.get<{ comments: { text: string }[] }>(`/issues/${id}`);
    return comments.map(({ text }) => text).join('\n');
  };

  test('answers a question in the inbox, and the worker goes on', async () => {
    const id = await house.add({ ...CLEAR, title: 'Greet in a colour', status: 'Backlog' });
    await using visit = await house.visit('/ui/inbox');
    const { page, complaints } = visit;
    const asked = page.getByRole('article', { name: 'Greet in a colour' });
    await asked.getByText(QUESTION).waitFor();
    await asked.getByRole('textbox', { name: `Your answer to ${id}` }).fill('Blue, like the sea.');
    await asked.getByRole('button', { name: 'Answer' }).click();
    await page.getByText(QUESTION).waitFor({ state: 'detached' });
    await page.goto(`${house.daemon.url}/ui/issues/${id}?tab=transcript&worker=plan`);
    await page.getByText(GOES_ON).waitFor();
    expect(await commentsOn(id)).toContain('Blue, like the sea.');
    expect(complaints).toEqual([]);
  });

  test('approves a merge with its conditions in sight, and it is merged', async () => {
    const id = await house.add({ ...CLEAR, title: 'Greet by name', status: 'Backlog' });
    await using visit = await house.visit('/ui/inbox');
    const { page, complaints } = visit;
    const merge = page.getByRole('article', { name: 'Greet by name' });
    await merge.getByText('Every condition holds').waitFor();
    await merge.getByText('CI passes at this commit').first().waitFor();
    await merge.getByRole('button', { name: 'Approve the merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve the merge' }).click();
    await merge.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Board/ }).click();
    await cardIn(page, 'Done', id).waitFor();
    expect(complaints).toEqual([]);
  });

  test('does it all by keyboard: comes in, opens an issue, moves it, answers in the inbox', async () => {
    const asking = await house.add({ ...CLEAR, title: 'Part in a colour', status: 'Backlog' });
    const resting = await house.add({ ...CLEAR, title: 'Greet in Latin', status: 'Icebox' });
    await using visit = await newVisit(house.browser);
    const { page, complaints } = visit;
    const { keyboard } = page;
    await page.addInitScript(
      'addEventListener("pointerdown", () => { sessionStorage.pointer = "used"; }, true)',
    );
    await page.goto(`${house.daemon.url}/ui/`);
    await page.getByRole('heading', { name: 'Open the dashboard from a terminal' }).waitFor();
    await page.goto('about:blank');
    await page.goto(await addressOf(house.daemon, '/ui/'));
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
    // Whoever is not logged in is told so by a refusal, which every browser writes down.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
