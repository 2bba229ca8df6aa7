/** Tests the board in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createBusyDay, createFacts } from './support/facts.ts';

describe.runIf(chromiumPath !== undefined)('the board', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'board');
  });
  afterAll(() => browser.close());

  test('shows each issue in its column, with its worker, its pull request and whether it needs a person', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, pageErrors } = dashboard;
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
    expect(pageErrors).toEqual([]);
  });

  test('shows issues finished more than a week ago only on request, and finds them by search', async () => {
    const facts = createFacts([card('A-1', 'First', { status: 'Todo' })]);
    await using dashboard = await browser.open({
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

  test('removes the login code from the address at once', async () => {
    await using dashboard = await browser.open(createBusyDay());
    await dashboard.page.locator('[data-card]').first().waitFor();
    expect(dashboard.page.url()).toBe(`${dashboard.fixture.url}/ui/`);
  });

  test('updates when an event arrives, without a click', async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First', { status: 'Todo' })]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.facts.cards = [...fixture.facts.cards, card('A-2', 'Second', { status: 'Todo' })];
    await streaming(page);
    fixture.emitEvent('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
  });

  test('moves a dragged card even before the daemon has answered, and offers undo', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    const letGo = fixture.hold('POST /issues/DEMO-31/move');
    await page.locator('[data-in-card="DEMO-31"]').dragTo(page.getByRole('region', { name: /^Todo/ }));
    await page.getByRole('region', { name: 'Todo, 3' }).locator('[data-card="DEMO-31"]').waitFor();
    expect(fixture.requests).toEqual([]);
    letGo();
    await page.getByText('DEMO-31 moved to Todo').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Triage, 1' }).locator('[data-card="DEMO-31"]').waitFor();
    await expect
      .poll(() => fixture.requests.map(({ body }) => body))
      .toEqual([{ status: 'Todo' }, { status: 'Triage' }]);
  });

  test('shows the consequences of a move until the notice is closed', async () => {
    await using dashboard = await browser.open(createBusyDay());
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
    // Notices of any other kind would have disappeared by now.
    await page.clock.fastForward(60_000);
    expect(await notice.count()).toBe(1);
    await notice.getByRole('button', { name: 'Close' }).click();
    expect(await notice.count()).toBe(0);
  });

  test('puts a card back and shows the reason if the daemon refuses the move', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    fixture.refuse('POST /issues/DEMO-31/move', {
      status: 409,
      code: 'tracker.conflict',
      message: 'Someone else moved it.',
      next: 'Look at the board again.',
    });
    await page.locator('[data-in-card="DEMO-31"]').dragTo(page.getByRole('region', { name: /^Backlog/ }));
    const notice = page.getByRole('alert');
    await notice.waitFor();
    const said = await notice.textContent();
    for (const part of ['DEMO-31 stays in Triage', 'Someone else moved it.', 'Look at the board again.']) {
      expect(said).toContain(part);
    }
    await page.getByRole('region', { name: 'Triage, 1' }).locator('[data-card="DEMO-31"]').waitFor();
  });

  test('can be used with the keyboard alone to select a card, move it by menu, open it and go back', async () => {
    await using dashboard = await browser.open(createBusyDay());
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
    expect(fixture.requests[0]).toEqual({ route: 'POST /issues/DEMO-27/move', body: { status: 'Todo' } });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/issues\/DEMO-/);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.locator('[data-card]').first().waitFor();
  });

  test('filters by words, by label, by mode and by whether an issue needs a person, and keeps the filter in the address', async () => {
    await using dashboard = await browser.open(createBusyDay());
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

  test('adds an issue with only a title, and one with details', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('A door that squeaks');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'A door that squeaks' }).waitFor();
    expect(fixture.requests[0]?.body).toMatchObject({ title: 'A door that squeaks', status: 'Triage' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.keyboard.type('A window, too');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It is open.\nDone when it is not.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'A window, too' }).waitFor();
    expect(
      fixture.requests.find(({ body }) => JSON.stringify(body)?.includes('A window'))?.body,
    ).toMatchObject({
      title: 'A window, too',
      body: 'It is open.\nDone when it is not.',
    });
    await page.keyboard.type('once');
    // Submits twice in the same task of the event loop, before anything is rendered again.
    await page.evaluate(TWICE);
    await page.getByRole('link', { name: 'once' }).waitFor();
    expect(fixture.requests.filter(({ body }) => JSON.stringify(body)?.includes('once'))).toHaveLength(1);
  });

  test('on Enter, moves from the title of a new issue to its details without adding the issue', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('n');
    await page.getByText('adds the issue').waitFor();
    await page.keyboard.type('A door that squeaks');
    await page.keyboard.press('Enter');
    await page.keyboard.type('The one to the cellar.');
    expect(fixture.requests).toEqual([]);
    await page.keyboard.press('Meta+Enter');
    await page.getByRole('link', { name: 'A door that squeaks' }).waitFor();
    expect(fixture.requests.map(({ body }) => body)).toMatchObject([
      { title: 'A door that squeaks', body: 'The one to the cellar.' },
    ]);
  });

  test('reports that a search has no matches, and clears the search on request', async () => {
    await using dashboard = await browser.open(createBusyDay(), { path: '?q=Xylophone&label=bug' });
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'No issue matches “xylophone”' }).waitFor();
    await page.getByText('with the label bug').waitFor();
    expect(await page.locator('.column').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.locator('[data-card="DEMO-31"]').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('does not offer to add issues if the board belongs to an external service', async () => {
    const facts = createBusyDay();
    facts.session = { ...facts.session, ownBoard: false, backend: 'github' };
    await using dashboard = await browser.open(facts);
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    expect(await page.getByRole('button', { name: /^Add an issue|^New issue/ }).count()).toBe(0);
  });

  test('renders only a few hundred nodes for a column of thousands of issues, and can scroll to the last issue', async () => {
    const since = Date.now() - 60_000;
    const many = Array.from({ length: 5_000 }, (_, index) =>
      card(`BIG-${index + 1}`, `Issue ${index + 1}`, { status: 'Done', since }),
    );
    await using dashboard = await browser.open(createFacts(many));
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

  test('shows untrusted text as plain text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202Egnp.exe';
    const facts = createFacts([
      card('A-1', hostile, {
        labels: ['<b>bold</b>'],
        waits: { says: hostile, by: 'person', what: hostile },
      }),
    ]);
    await using dashboard = await browser.open(facts);
    const { page, pageErrors } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    // A text-direction override is shown as a dot.
    const shown = hostile.replace('\u202E', '·');
    expect(await page.locator('[data-card="A-1"]').textContent()).toBe(shown);
    expect(await page.locator('.card img, .card script, .card b').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test('reports an empty board and accepts the first issue', async () => {
    await using dashboard = await browser.open(createFacts([]));
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'No issues yet' }).waitFor();
    await page.getByPlaceholder('What should be done?').waitFor();
  });

  test('shows the next step if the board cannot be read, and retries on request', async () => {
    const facts = createBusyDay();
    await using dashboard = await browser.open(facts, { path: 'fleet' });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    // The page reads the board again when the event stream starts, so a refusal of a single request
    // might never be seen.
    const allow = fixture.keepRefusing('GET /board', {
      status: 502,
      code: 'tracker.down',
      message: 'The tracker is unreachable.',
      next: 'Wait for it.',
    });
    // Drops the cached board by reloading the page.
    await page.goto(new URL('/ui/', page.url()).href);
    await page.getByRole('alert').getByText('Wait for it.').waitFor();
    // Holds back the page's own refetch. If it succeeded before the click, it would remove the
    // button.
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

type Page = Awaited<ReturnType<DashboardBrowser['open']>>['page'];

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement?.dataset.card');
}

/** Waits until the health dialog shows that the stream is connected. */
async function streaming(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('live: changes appear immediately').waitFor();
  await page.keyboard.press('Escape');
}
