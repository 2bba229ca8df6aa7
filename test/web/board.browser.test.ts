/** The board in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay, card, factsOf } from './support/facts.ts';

describe.runIf(chromiumPath !== undefined)('the board', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'board');
  });
  afterAll(() => stage.close());

  test('shows each issue in its column with its worker, what it waits for and its pull request', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, complaints } = dashboard;
    const issue = page.locator('[data-in-card="DEMO-21"]');
    await issue.waitFor();
    const text = await issue.textContent();
    for (const part of ['working', 'implement', '#2', 'npm test -- parser', '#47 CI pending', '$2.41']) {
      expect(text).toContain(part);
    }
    const column = page.getByRole('region', { name: 'In Progress, 2' });
    expect(await column.locator('[data-card]').count()).toBe(2);
    expect(await page.locator('[data-in-card="DEMO-20"]').textContent()).toContain('needs you');
    await expect.poll(() => page.title()).toBe('(4) Board · invoices');
    expect(complaints).toEqual([]);
  });

  test('shows issues that were finished more than a week ago when asked, and finds them by a search', async () => {
    const facts = factsOf([card('A-1', 'First', { status: 'Todo' })]);
    await using dashboard = await stage.open({
      ...facts,
      older: [card('A-0', 'Long done', { status: 'Done' })],
    });
    const { page } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    expect(await page.locator('[data-card="A-0"]').count()).toBe(0);
    const older = page.getByRole('button', { name: 'Older 1' });
    await older.click();
    await page.locator('[data-card="A-0"]').waitFor();
    expect(new URL(page.url()).search).toBe('?finished=all');
    await older.click();
    await page.locator('[data-card="A-0"]').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('long');
    await page.locator('[data-card="A-0"]').waitFor();
  });

  test('takes the code out of the address at once', async () => {
    await using dashboard = await stage.open(busyDay());
    await dashboard.page.locator('[data-card]').first().waitFor();
    expect(dashboard.page.url()).toBe(`${dashboard.fixture.url}/ui/`);
  });

  test('follows an event without a click', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First', { status: 'Todo' })]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.facts.cards = [...fixture.facts.cards, card('A-2', 'Second', { status: 'Todo' })];
    await streaming(page);
    fixture.tell('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
  });

  test('moves a card that is dragged, before the daemon has answered, and offers to undo it', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    const letGo = fixture.hold('POST /issues/DEMO-31/move');
    await page.locator('[data-in-card="DEMO-31"]').dragTo(page.getByRole('region', { name: /^Todo/ }));
    await page.getByRole('region', { name: 'Todo, 3' }).locator('[data-card="DEMO-31"]').waitFor();
    expect(fixture.asked).toEqual([]);
    letGo();
    await page.getByText('DEMO-31 moved to Todo').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Triage, 1' }).locator('[data-card="DEMO-31"]').waitFor();
    await expect
      .poll(() => fixture.asked.map(({ body }) => body))
      .toEqual([{ status: 'Todo' }, { status: 'Triage' }]);
  });

  test('says what follows from a move, until the notice is closed', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.clock.install();
    fixture.facts.moveEffects = {
      stoppedWorkers: [{ mode: 'plan' }],
      notes: ['Pull request 7 of DEMO-31 stays open.'],
    };
    await page.locator('[data-in-card="DEMO-31"]').dragTo(page.getByRole('region', { name: /^Todo/ }));
    const notice = page.getByRole('region', { name: 'Notices' }).locator('.toast');
    await notice.waitFor();
    for (const part of [
      'DEMO-31 moved to Todo',
      'Its plan worker is stopped.',
      'Pull request 7 of DEMO-31 stays open.',
    ])
      expect(await notice.textContent()).toContain(part);
    // Longer than other notices stay.
    await page.clock.fastForward(60_000);
    expect(await notice.count()).toBe(1);
    await notice.getByRole('button', { name: 'Close' }).click();
    expect(await notice.count()).toBe(0);
  });

  test('puts a card back and says why where the daemon refuses the move', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    fixture.refuse('POST /issues/DEMO-31/move', {
      status: 409,
      code: 'tracker.conflict',
      message: 'Somebody else moved it.',
      next: 'Look at the board again.',
    });
    await page.locator('[data-in-card="DEMO-31"]').dragTo(page.getByRole('region', { name: /^Backlog/ }));
    const notice = page.getByRole('alert');
    await notice.waitFor();
    const said = await notice.textContent();
    for (const part of ['DEMO-31 stays in Triage', 'Somebody else moved it.', 'Look at the board again.']) {
      expect(said).toContain(part);
    }
    await page.getByRole('region', { name: 'Triage, 1' }).locator('[data-card="DEMO-31"]').waitFor();
  });

  test('can be worked by keyboard alone: from card to card, moved by menu, opened, and back', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('DEMO-31');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('DEMO-30');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('DEMO-27');
    await page.keyboard.press('m');
    await page.getByRole('menu', { name: 'Move DEMO-27 to' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Todo, 3' }).locator('[data-card="DEMO-27"]').waitFor();
    expect(fixture.asked[0]).toEqual({ route: 'POST /issues/DEMO-27/move', body: { status: 'Todo' } });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/issues\/DEMO-/);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.locator('[data-card]').first().waitFor();
  });

  test('is narrowed down by words, label, mode and what needs a person, and the address keeps it', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('invoice num');
    await page.getByText('1 of 23 issues').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('invoice num');
    await page.reload();
    await page.getByText('1 of 23 issues').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: /^Needs me/ }).click();
    await page.getByText('4 of 23 issues').waitFor();
    await page.getByRole('button', { name: 'Filter by mode' }).click();
    await page.getByRole('menuitemradio', { name: 'test' }).click();
    await page.getByText('1 of 23 issues').waitFor();
    expect(await page.locator('[data-card]').allTextContents()).toEqual(['Show a total below the table']);
  });

  test('adds an issue from its title, and from more', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('A door that squeaks');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'A door that squeaks' }).waitFor();
    expect(fixture.asked[0]?.body).toMatchObject({ title: 'A door that squeaks', status: 'Triage' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.keyboard.type('A window, too');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It is open.\nDone when it is not.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'A window, too' }).waitFor();
    expect(fixture.asked.find(({ body }) => JSON.stringify(body)?.includes('A window'))?.body).toMatchObject({
      ...{ title: 'A window, too', body: 'It is open.\nDone when it is not.' },
    });
    await page.keyboard.type('once');
    // Both in one turn of the page, before anything is drawn again.
    await page.evaluate(TWICE);
    await page.getByRole('link', { name: 'once' }).waitFor();
    expect(fixture.asked.filter(({ body }) => JSON.stringify(body)?.includes('once'))).toHaveLength(1);
  });

  test('moves from the title of a new issue to its details on Enter, and adds nothing yet', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('n');
    await page.getByText('adds the issue').waitFor();
    await page.keyboard.type('A door that squeaks');
    await page.keyboard.press('Enter');
    await page.keyboard.type('The one to the cellar.');
    expect(fixture.asked).toEqual([]);
    await page.keyboard.press('Meta+Enter');
    await page.getByRole('link', { name: 'A door that squeaks' }).waitFor();
    expect(fixture.asked.map(({ body }) => body)).toMatchObject([
      { title: 'A door that squeaks', body: 'The one to the cellar.' },
    ]);
  });

  test('says that a search found nothing, and clears it', async () => {
    await using dashboard = await stage.open(busyDay(), { path: '?q=Xylophone&label=bug' });
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'No issue matches “xylophone”' }).waitFor();
    await page.getByText('with the label bug').waitFor();
    expect(await page.locator('.column').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.locator('[data-card="DEMO-31"]').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('offers no adding on a board that is not its own', async () => {
    const facts = busyDay();
    facts.session = { ...facts.session, ownBoard: false, backend: 'github' };
    await using dashboard = await stage.open(facts);
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    expect(await page.getByRole('button', { name: /^Add an issue|^New issue/ }).count()).toBe(0);
  });

  test('draws a few hundred nodes a column of thousands of issues, and reaches the last of them', async () => {
    const since = Date.now() - 60_000;
    const many = Array.from({ length: 5_000 }, (_, index) =>
      card(`BIG-${index + 1}`, `Issue ${index + 1}`, { status: 'Done', since }),
    );
    await using dashboard = await stage.open(factsOf(many));
    const { page } = dashboard;
    const column = page.getByRole('region', { name: 'Done, 5000' });
    await column.locator('[data-card]').first().waitFor();
    expect(await column.locator('*').count()).toBeLessThan(900);
    await page.evaluate(
      '{ const list = document.querySelector(".virtual"); list.scrollTop = list.scrollHeight; }',
    );
    await page.locator('[data-card="BIG-5000"]').waitFor();
    expect(await column.locator('*').count()).toBeLessThan(900);
  });

  test('shows foreign text as text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202Egnp.exe';
    const facts = factsOf([
      card('A-1', hostile, {
        labels: ['<b>bold</b>'],
        waits: { says: hostile, by: 'person', what: hostile },
      }),
    ]);
    await using dashboard = await stage.open(facts);
    const { page, complaints } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    // A mark that turns the words behind it round is shown as a dot.
    const shown = hostile.replace('\u202E', '·');
    expect(await page.locator('[data-card="A-1"]').textContent()).toBe(shown);
    expect(await page.locator('.card img, .card script, .card b').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('says that an empty board is empty and takes the first issue', async () => {
    await using dashboard = await stage.open(factsOf([]));
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'No issues yet' }).waitFor();
    await page.getByPlaceholder('What is to be done?').waitFor();
  });

  test('says what to do where the board cannot be read, and reads it again when asked', async () => {
    const facts = busyDay();
    await using dashboard = await stage.open(facts, { path: 'fleet' });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    // The page reads the board again by itself when the event stream begins, so a single refusal could pass unseen.
    const allow = fixture.keepRefusing('GET /board', {
      status: 502,
      code: 'tracker.down',
      message: 'The tracker is away.',
      next: 'Wait for it.',
    });
    // A reload forgets the board that was read before.
    await page.goto(new URL('/ui/', page.url()).href);
    await page.getByRole('alert').getByText('Wait for it.').waitFor();
    // Until the click, the page's own reading must not succeed: it would take the button away.
    const answer = fixture.hold('GET /board');
    allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await page.locator('[data-card]').first().waitFor();
  });
});

const TWICE = `{
  const press = () => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
  );
  press();
  press();
}`;

type Page = Awaited<ReturnType<Stage['open']>>['page'];

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement?.dataset.card');
}

/** The health dialog says when the stream is there. */
async function streaming(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('live: changes show at once').waitFor();
  await page.keyboard.press('Escape');
}
