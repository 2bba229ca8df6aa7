/** The fleet in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { barriersOn } from './support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { dayOfFleet, figuresOf, manyWorkers, noFigures, workerOf } from './support/fleet-facts.ts';

/** The machine may be busy: how long something may take to show. */
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe.runIf(chromiumPath !== undefined)('the fleet', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'fleet');
  });
  afterAll(() => stage.close());
  const open = (facts = dayOfFleet(), path = 'fleet') => stage.open(facts, { path });

  test('shows room, hosts, breaker and budget of now', async () => {
    await using dashboard = await open();
    const { page, complaints } = dashboard;
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
    expect(complaints).toEqual([]);
  });

  test('counts a worker that is being stopped, and says how much of its grace period is left', async () => {
    const since = Date.now() - 5_000;
    const stopping = { since, graceEndsAt: since + 3_600_000, why: 'stopped by ada' };
    const workers = [workerOf('DEMO-18', 'test', { status: 'stopped', since, stopping })];
    const facts = dayOfFleet({ workers, figures: figuresOf });
    facts.health = { ...facts.health, workers: { live: 4, waiting: 2, stopping: 1, limit: 10 } };
    await using dashboard = await open(facts);
    const { page } = dashboard;
    const capacity = page.getByRole('region', { name: 'Capacity' });
    await capacity.getByText('stopping').waitFor();
    expect(await capacity.textContent()).toContain('4 live, 2 waiting, 4 free, 1 stopping');
    await page.getByText('4 of 10 workers, 1 stopping').waitFor();
    await page.getByRole('button', { name: 'How demo-18-test is' }).click();
    await page.getByText(/^stopping \(stopped by ada; began \d+s ago, at most 59m of its grace/).waitFor();
  });

  test('says why no worker is started, and starts them again', async () => {
    const facts = dayOfFleet();
    facts.health = { ...facts.health, starts: { allowed: false, why: '3 workers died within 30 s' } };
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    const breaker = page.getByRole('region', { name: 'Worker starts' });
    await breaker.getByText('3 workers died within 30 s').waitFor();
    await breaker.getByRole('button', { name: 'Start workers again' }).click();
    await expect.poll(() => fixture.asked.map(({ route }) => route)).toEqual(['POST /resume']);
  });

  test('lists the workers that matter now, unfolds how one is, and why', async () => {
    await using dashboard = await open();
    const { page } = dashboard;
    const table = page.getByRole('table', { name: 'Workers' });
    await expect.poll(() => table.locator('.worker').count()).toBe(8);
    await page.getByRole('button', { name: 'How demo-18-test is' }).click();
    expect(await page.getByText('cpu=0.4s in the last minute').isVisible()).toBe(false);
    await page.locator('.worker-details summary').first().click();
    await page.getByText('cpu=0.4s in the last minute').waitFor();
    await page.getByText('It has used 28 % of its budget.').waitFor();
    expect(
      await page.getByRole('button', { name: 'How demo-18-test is' }).getAttribute('aria-expanded'),
    ).toBe('true');
  });

  test('is narrowed down and sorted, and the address keeps it', async () => {
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
    await page.getByText('No worker fits “nobody” here.').waitFor();
  });

  test('stops a worker and forgets its crashes only after asking, and says what came of it', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    const choose = async (id: string, what: string) => {
      await page.getByRole('button', { name: `Actions for ${id}` }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await choose('demo-21-implement', 'Stop it and hold its issue …');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.asked).toEqual([]);
    await choose('demo-21-implement', 'Stop it and hold its issue …');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the worker' }).click();
    await page.getByText('demo-21-implement is asked to stop.').waitFor();
    await choose('demo-18-test', 'Forget its crashes …');
    await page.getByRole('dialog').getByRole('button', { name: 'Forget them' }).click();
    await page.getByText('The crashes of demo-18-test are forgotten.').waitFor();
    expect(fixture.asked.map(({ route }) => route)).toEqual([
      'DELETE /workers/demo-21-implement',
      'DELETE /workers/demo-18-test/crashes',
    ]);
  });

  test('says something to a worker, and keeps the words where that is refused', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Actions for demo-21-implement' }).click();
    await page.getByRole('menuitem', { name: 'Say something to it …' }).click();
    const box = page.getByRole('textbox', { name: 'What you say to demo-21-implement' });
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
    expect(fixture.asked.at(-1)?.body).toEqual({ text: 'Use the old parser.', interrupt: true });
  });

  test('says in words what each chart shows, and shows it as table', async () => {
    await using dashboard = await open();
    const { page } = dashboard;
    const done = figuresOf(86_400_000).throughput.reduce((sum, { done: each }) => sum + each, 0);
    expect(await page.locator('.numbers-one', { hasText: 'For each issue done' }).textContent()).toContain(
      '$0.50',
    );
    await page.getByRole('img', { name: `Throughput. ${done} issues came to Done` }).waitFor();
    await page
      .getByRole('img', { name: /^Lead time\. Half of \d+ took 43m or less, nine of ten 1h 6m or less/ })
      .waitFor();
    await page.getByRole('img', { name: /^Time in each status\. Longest in Backlog/ }).waitFor();
    await page
      .getByRole('img', { name: /1 of the 8 judged ones wrongly: a false-kill rate of 12\.5 %/ })
      .waitFor();
    await page.getByRole('button', { name: 'Show time in each status as table' }).click();
    const table = page.getByRole('region', { name: 'Time in each status as table' }).getByRole('row');
    expect(await table.allTextContents()).toHaveLength(7);
    expect(await table.nth(1).locator('th, td').allTextContents()).toEqual(['Backlog', '20', '38m', '2h']);
  });

  test('looks further back when asked, and the address keeps it', async () => {
    const asked: number[] = [];
    const fleet = {
      workers: [workerOf('DEMO-1', 'plan')],
      figures: (back: number) => {
        asked.push(back);
        return figuresOf(back);
      },
    };
    await using dashboard = await open(dayOfFleet(fleet), 'fleet?range=7d');
    const { page } = dashboard;
    await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    expect(asked[0]).toBe(7 * 86_400_000);
    await page.getByRole('button', { name: '30 d' }).click();
    await expect.poll(() => asked.at(-1)).toBe(30 * 86_400_000);
    expect(new URL(page.url()).searchParams.get('range')).toBe('30d');
  });

  test('asks for its figures by the clock and not for every event, but at once for who comes back to it', async () => {
    const asked = { figures: 0, workers: 0 };
    const facts = dayOfFleet();
    const { answers } = facts;
    facts.answers = (route, query, body) => {
      if (route === 'GET /figures') asked.figures += 1;
      if (route === 'GET /workers') asked.workers += 1;
      return answers?.(route, query, body);
    };
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    const before = { ...asked };
    for (const times of [1, 2, 3]) {
      fixture.tell('attempt.spent');
      await expect.poll(() => asked.workers).toBeGreaterThanOrEqual(before.workers + times);
    }
    // Once by the clock, where the machine is so busy that the rest took long.
    expect(asked.figures).toBeLessThanOrEqual(before.figures + 1);
    const { figures } = asked;
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await expect.poll(() => asked.figures, { timeout: 4_000 }).toBeGreaterThan(figures);
  });

  test('says what there is not before anything was done', async () => {
    await using dashboard = await open(dayOfFleet({ workers: [], figures: noFigures }));
    const { page, complaints } = dashboard;
    await page.getByText('No worker has started yet.').waitFor();
    await page.getByText('Nothing was finished in this time').first().waitFor();
    await page.getByText('No worker had to be killed').waitFor();
    expect(await page.getByRole('button', { name: /as table$/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('draws a hundred of thousands of workers, and more when asked', async () => {
    await using dashboard = await open(
      dayOfFleet({ workers: manyWorkers(3_000), figures: figuresOf }),
      'fleet?show=all',
    );
    const { page } = dashboard;
    await expect.poll(() => page.locator('.worker').count()).toBe(100);
    await page.getByRole('button', { name: 'Show more: 2900 are left' }).click();
    await expect.poll(() => page.locator('.worker').count()).toBe(200);
  });

  for (const [name, look] of [
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const) {
    test(`has no barrier ${name}`, async () => {
      await using dashboard = await stage.open(dayOfFleet(), {
        path: 'fleet',
        reducedMotion: 'reduce',
        ...look,
      });
      const { page } = dashboard;
      await page.getByRole('img', { name: /^Kills/ }).waitFor();
      await page.getByRole('button', { name: 'How demo-18-test is' }).click();
      await page.getByText('It has used 28 % of its budget.').waitFor();
      await page.getByRole('button', { name: 'Show lead time as table' }).click();
      expect(await barriersOn(page)).toEqual([]);
    });
  }

  test('shows foreign text as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202E\u001b[31m';
    const facts = dayOfFleet({
      workers: [workerOf('DEMO-21', 'plan', { model: hostile, agent: hostile, host: hostile })],
      figures: figuresOf,
    });
    facts.cards = facts.cards.map((card) => (card.id === 'DEMO-21' ? { ...card, title: hostile } : card));
    await using dashboard = await open(facts);
    const { page, complaints } = dashboard;
    await page.getByRole('button', { name: 'How demo-21-plan is' }).click();
    await page.locator('.worker-details summary').first().click();
    await page.getByText('process=alive').waitFor();
    expect(await page.locator('.worker-title').textContent()).toBe(
      'plan <img src=x onerror="document.title=1">·',
    );
    expect(await page.locator('.fleet img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
