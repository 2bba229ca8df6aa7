/**
 * Tests where CI output is shown, with a real daemon: in `ci`, in `inbox`, in the comment on the
 * issue, and for a failing base branch.
 */
import { expect, test } from 'vitest';
import type { CiView } from '../../../src/protocol/ci.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import { setUpDaemons } from '../../e2e/support/legion.ts';
import { ISSUE, SUBMIT_WORK } from '../../e2e/support/steps.ts';
import { until } from '../../support/running-daemon.ts';
import { type Outcome, perform } from '../support/in-process.ts';

const begin = setUpDaemons();
const TOKEN = `ghp_${'a1'.repeat(18)}`;
const RED = `\`\`\` login with ${TOKEN}\nthe lamp is red\n`;
const COMMANDS = 'commands: { ci: [sh, ci.sh] }\n';

test('once all CI rounds are used up, `legion ci`, `legion inbox` and the issue comment show the end of the failing CI log', async () => {
  const daemon = await begin({
    files: {
      '.legion/config.yml': COMMANDS,
      'ci.sh': 'if [ -f red ]; then cat red; exit 1; fi\n',
    },
    scenario: [
      {
        mode: 'implement',
        purpose: 'start',
        steps: [{ write: { path: 'red', content: RED } }, ...SUBMIT_WORK],
      },
      {
        purpose: 'ci_failure',
        steps: [
          { write: { path: `again-\${attempt}.txt`, content: 'x\n' } },
          { commit: `${ISSUE}: again` },
          { push: true },
          { done: 'tried again' },
        ],
      },
    ],
  });
  const { repository: cwd, environment: env } = daemon.legion;
  const legion = (...args: string[]): Promise<Outcome> => perform({ cwd, env }, ...args);

  const early = await daemon.add({ status: 'Backlog', labels: ['legion-paused'] });
  const none = await legion('ci', early);
  expect(none.exit).toBe(0);
  expect(none.out).toContain(`${early} has no pull request yet`);
  expect((await legion('ci', 'DEMO-999')).error).toMatchObject({ code: 'tracker.issue_unknown' });
  expect((await legion('ci', early, '--lines', '0')).error).toMatchObject({ code: 'usage.invalid' });
  expect((await legion('ci', early, '--lines', '501')).error).toMatchObject({ code: 'input.invalid' });

  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilLabel(id, 'user-input-needed');
  const { out } = await legion('ci', id);
  expect(out).toMatch(
    new RegExp(`^${id}: CI fails at the head of the pull request\\. \\(pull request \\d+ at [0-9a-f]{10}\\)`),
  );
  expect(out).toContain('✗ ci  failing\n');
  expect(out).toContain('  ``` login with [redacted]\n  the lamp is red\n');
  expect((await legion('ci', id, '--check', 'lint')).error).toMatchObject({ code: 'forge.check_unknown' });
  const view = JSON.parse((await legion('ci', id, '--json', '--lines', '1')).out) as CiView;
  expect(view).toMatchObject({ status: 'failing', checks: [{ name: 'ci', log: 'the lamp is red' }] });

  const inbox = await legion('inbox');
  expect(inbox.out).toContain(`CI failed at ${view.sha?.slice(0, 10)}. End of the ci log`);
  expect(inbox.out).toContain('    the lamp is red\n');
  expect(inbox.out).not.toContain(TOKEN);
  const items = JSON.parse((await legion('inbox', '--json')).out) as InboxItem[];
  expect(items.find(({ issue }) => issue === id)?.ci?.log).toContain('the lamp is red');
  expect(items.find(({ issue }) => issue === early)?.ci).toBeUndefined();

  const { comments } = await daemon.detail(id);
  const text = comments.map((comment) => comment.text).find((each) => each.includes('rounds.ci_failure=3/3'));
  expect(text).toMatch(/CI fails at commit [0-9a-f]{12}\. The end of the log of `ci`:\n\n````text\n/);
  expect(text).toContain('``` login with [redacted]\nthe lamp is red\n````');
  expect(text).not.toContain(TOKEN);
});

test('if CI already fails on the base branch, its output is shown before any worker starts', async () => {
  const daemon = await begin({
    files: { '.legion/config.yml': COMMANDS, 'ci.sh': `echo ${TOKEN}; echo "the lamp is red"; exit 1\n` },
  });
  const { repository: cwd, environment: env } = daemon.legion;
  const legion = (...args: string[]): Promise<Outcome> => perform({ cwd, env }, ...args);
  const id = await daemon.add({ status: 'In Progress' });
  const out = await until(
    async () => (await legion('ci', id)).out,
    (text) => text.includes('[baseline.failed]'),
    30_000,
  );
  expect(out).toContain(`${id} has no pull request yet`);
  for (const text of [out, (await legion('inbox')).out, (await legion('status')).out])
    expect(text).toMatch(
      /The baseline of repository is red: `sh ci\.sh` on main[^\n]*\n *\[redacted\]\n *the lamp is red/,
    );
  const events = await daemon.client.events();
  expect(events.filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
});
