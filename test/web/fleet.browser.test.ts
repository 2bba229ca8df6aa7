/** Tests the fleet page in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findAccessibilityViolations } from './support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import {
  createEmptyFigures,
  createFigures,
  createFleetFacts,
  createManyWorkers,
  createWorker,
} from './support/fleet-facts.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe.runIf(chromiumPath !== undefined)('fleet page', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'fleet');
  });
  afterAll(() => browser.close());
  const open = (facts = createFleetFacts(), path = 'fleet') => browser.open(facts, { path });

  test('shows the current capacity, the hosts, whether starts are paused, and the API budget', async () => {
    await using dashboard = await open();
    const { page, pageErrors } = dashboard;
    const capacity = page.getByRole('region', { name: 'Capacity' });
    await capacity.getByText('attic').waitFor();
    expect(await capacity.textContent()).toContain('4 live, 2 waiting, 4 free');
    expect(await capacity.getByRole('list').textContent()).toContain('1 live, 1 waiting');
    const budget = page.getByRole('region', { name: 'API budget' });
    expect(await budget.textContent()).toMatch(/830 of 5,000 left[\s\S]*It resets in 2[23]m/);
    expect(await page.getByRole('region', { name: 'Worker starts' }).textContent()).toContain(
      'Workers may start',
    );
    await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('counts a worker that is being stopped as stopping, and shows how much of its grace period is left', async () => {
    const since = Date.now() - 5_000;
    const stopping = { since, graceEndsAt: since + 3_600_000, why: 'stopped by ada' };
    const workers = [createWorker('DEMO-18', 'test', { status: 'stopped', since, stopping })];
    const facts = createFleetFacts({ workers, figures: createFigures });
    facts.health = { ...facts.health, workers: { live: 4, waiting: 2, stopping: 1, limit: 10 } };
    await using dashboard = await open(facts);
    const { page } = dashboard;
    const capacity = page.getByRole('region', { name: 'Capacity' });
    await capacity.getByText('stopping').waitFor();
    expect(await capacity.textContent()).toContain('4 live, 2 waiting, 4 free, 1 stopping');
    await page.getByText('4 of 10 workers, 1 stopping').waitFor();
    await page.getByRole('button', { name: 'Health of demo-18-test' }).click();
    await page.getByText(/^stopping \(stopped by ada; began \d+s ago, at most 59m of its grace/).waitFor();
  });

  test('explains why no workers start, and resumes starts', async () => {
    const facts = createFleetFacts();
    facts.health = { ...facts.health, starts: { allowed: false, why: '3 workers died within 30 s' } };
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    const breaker = page.getByRole('region', { name: 'Worker starts' });
    await breaker.getByText('3 workers died within 30 s').waitFor();
    await breaker.getByRole('button', { name: 'Resume starts' }).click();
    await expect.poll(() => fixture.requests.map(({ route }) => route)).toEqual(['POST /resume']);
  });

  test('lists the workers; expanding one shows its health and the reasons for it', async () => {
    await using dashboard = await open();
    const { page } = dashboard;
    const table = page.getByRole('table', { name: 'Workers' });
    await expect.poll(() => table.locator('.worker').count()).toBe(8);
    await page.getByRole('button', { name: 'Health of demo-18-test' }).click();
    expect(await page.getByText('cpu=0.4s in the last minute').isVisible()).toBe(false);
    await page.locator('.worker-details summary').first().click();
    await page.getByText('cpu=0.4s in the last minute').waitFor();
    await page.getByText('It has used 28 % of its budget.').waitFor();
    expect(
      await page.getByRole('button', { name: 'Health of demo-18-test' }).getAttribute('aria-expanded'),
    ).toBe('true');
  });

  test('filters and sorts the workers, and keeps the filter and the sort order in the address', async () => {
    await using dashboard = await open();
    const { page } = dashboard;
    const rows = page.locator('.worker .worker-issue a');
    await page.getByRole('button', { name: /^Failed/ }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['DEMO-18', 'DEMO-15']);
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['DEMO-15', 'DEMO-18']);
    await page.reload();
    await expect.poll(() => rows.allTextContents()).toEqual(['DEMO-15', 'DEMO-18']);
    expect(
      await page.getByRole('columnheader', { name: 'Issue', exact: true }).getAttribute('aria-sort'),
    ).toBe('ascending');
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByRole('searchbox', { name: 'Find workers' }).fill('codex');
    await expect.poll(() => rows.allTextContents()).toEqual(['DEMO-17']);
    await page.getByRole('searchbox', { name: 'Find workers' }).fill('nobody');
    await page.getByText('No worker here matches “nobody”.').waitFor();
  });

  test('stops a worker, or resets its crash count, only after confirmation, and reports the result', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    const choose = async (id: string, what: string) => {
      await page.getByRole('button', { name: `Actions for ${id}` }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await choose('demo-21-implement', 'Stop and hold the issue…');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.requests).toEqual([]);
    await choose('demo-21-implement', 'Stop and hold the issue…');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop worker' }).click();
    await page.getByText('demo-21-implement has been asked to stop.').waitFor();
    await choose('demo-18-test', 'Reset crash count…');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset crash count' }).click();
    await page.getByText('The crash count of demo-18-test was reset.').waitFor();
    expect(fixture.requests.map(({ route }) => route)).toEqual([
      'DELETE /workers/demo-21-implement',
      'DELETE /workers/demo-18-test/crashes',
    ]);
  });

  test('sends a message to a worker, and keeps the text if the message is refused', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Actions for demo-21-implement' }).click();
    await page.getByRole('menuitem', { name: 'Send a message…' }).click();
    const box = page.getByRole('textbox', { name: 'Message to demo-21-implement' });
    await box.waitFor();
    fixture.refuse('POST /workers/demo-21-implement/prompt', {
      status: 409,
      code: 'worker.unknown',
      message: 'It is gone.',
      next: 'Look at the list.',
    });
    await page.keyboard.type('Use the old parser.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByText('Look at the list.').waitFor();
    expect(await box.inputValue()).toBe('Use the old parser.');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('reads this at the end of its turn').waitFor();
    expect(fixture.requests.at(-1)?.body).toEqual({ text: 'Use the old parser.', interrupt: true });
  });

  test('describes each chart in a sentence, and shows its data as a table on request', async () => {
    await using dashboard = await open();
    const { page } = dashboard;
    const done = createFigures(86_400_000).throughput.reduce((sum, { done: each }) => sum + each, 0);
    expect(
      await page.locator('.numbers-one', { hasText: 'Cost per finished issue' }).textContent(),
    ).toContain('$0.50');
    await page.getByRole('img', { name: `Throughput. ${done} issues reached Done` }).waitFor();
    await page
      .getByRole('img', {
        name: /^Lead time\. Half of the \d+ issues took 43m or less, nine of ten took 1h 6m or less/,
      })
      .waitFor();
    await page.getByRole('img', { name: /^Time in each status\. Longest in Backlog/ }).waitFor();
    await page
      .getByRole('img', { name: /1 of the 8 judged kills was wrong: a false-kill rate of 12\.5 %/ })
      .waitFor();
    await page.getByRole('button', { name: 'Show time in each status as a table' }).click();
    const table = page.getByRole('region', { name: 'Time in each status as a table' }).getByRole('row');
    expect(await table.allTextContents()).toHaveLength(7);
    expect(await table.nth(1).locator('th, td').allTextContents()).toEqual(['Backlog', '20', '38m', '2h']);
  });

  test('changes the time range on request, and keeps it in the address', async () => {
    const asked: number[] = [];
    const fleet = {
      workers: [createWorker('DEMO-1', 'plan')],
      figures: (back: number) => {
        asked.push(back);
        return createFigures(back);
      },
    };
    await using dashboard = await open(createFleetFacts(fleet), 'fleet?range=7d');
    const { page } = dashboard;
    await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    expect(asked[0]).toBe(7 * 86_400_000);
    await page.getByRole('button', { name: '30 d' }).click();
    await expect.poll(() => asked.at(-1)).toBe(30 * 86_400_000);
    expect(new URL(page.url()).searchParams.get('range')).toBe('30d');
  });

  test('polls its figures instead of refetching on every event, but refetches at once when the user returns', async () => {
    const asked = { figures: 0, workers: 0 };
    const facts = createFleetFacts();
    const { answerRoute } = facts;
    facts.answerRoute = (route, query, body) => {
      if (route === 'GET /figures') asked.figures += 1;
      if (route === 'GET /workers') asked.workers += 1;
      return answerRoute?.(route, query, body);
    };
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    const before = { ...asked };
    for (const times of [1, 2, 3]) {
      fixture.emitEvent('attempt.spent');
      await expect.poll(() => asked.workers).toBeGreaterThanOrEqual(before.workers + times);
    }
    // Allows one poll, which may happen if the steps above took long on a busy machine.
    expect(asked.figures).toBeLessThanOrEqual(before.figures + 1);
    const { figures } = asked;
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await expect.poll(() => asked.figures, { timeout: 4_000 }).toBeGreaterThan(figures);
  });

  test('shows empty states before any work was done', async () => {
    await using dashboard = await open(createFleetFacts({ workers: [], figures: createEmptyFigures }));
    const { page, pageErrors } = dashboard;
    await page.getByText('No worker has started yet.').waitFor();
    await page.getByText('Nothing was finished in this period').first().waitFor();
    await page.getByText('No workers were killed').waitFor();
    expect(await page.getByRole('button', { name: /as a table$/ }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test('renders only the first hundred of several thousand workers, and more on request', async () => {
    await using dashboard = await open(
      createFleetFacts({ workers: createManyWorkers(3_000), figures: createFigures }),
      'fleet?show=all',
    );
    const { page } = dashboard;
    await expect.poll(() => page.locator('.worker').count()).toBe(100);
    await page.getByRole('button', { name: 'Show more (2900 left)' }).click();
    await expect.poll(() => page.locator('.worker').count()).toBe(200);
  });

  for (const [name, look] of [
    ['in light mode', { colorScheme: 'light' }],
    ['in dark mode', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const) {
    test(`has no accessibility violations ${name}`, async () => {
      await using dashboard = await browser.open(createFleetFacts(), {
        path: 'fleet',
        reducedMotion: 'reduce',
        ...look,
      });
      const { page } = dashboard;
      await page.getByRole('img', { name: /^Kills/ }).waitFor();
      await page.getByRole('button', { name: 'Health of demo-18-test' }).click();
      await page.getByText('It has used 28 % of its budget.').waitFor();
      await page.getByRole('button', { name: 'Show lead time as a table' }).click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  }

  test('shows untrusted text as plain text', async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202E\u001b[31m';
    const facts = createFleetFacts({
      workers: [createWorker('DEMO-21', 'plan', { model: hostile, agent: hostile, host: hostile })],
      figures: createFigures,
    });
    facts.cards = facts.cards.map((card) => (card.id === 'DEMO-21' ? { ...card, title: hostile } : card));
    await using dashboard = await open(facts);
    const { page, pageErrors } = dashboard;
    await page.getByRole('button', { name: 'Health of demo-21-plan' }).click();
    await page.locator('.worker-details summary').first().click();
    await page.getByText('process=alive').waitFor();
    expect(await page.locator('.worker-title').textContent()).toBe(
      'plan <img src=x onerror="document.title=1">·',
    );
    expect(await page.locator('.fleet img').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });
});
