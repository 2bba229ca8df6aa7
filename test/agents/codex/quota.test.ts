import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuotaRefusal } from '../../../src/agents/codex/turn.ts';
import { assertProperty } from '../../support/property.ts';

/** All times are in local time, because Codex prints local times. */
const NOW = new Date(2026, 10, 16, 7, 3, 20, 500).getTime();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const local = (...[month, day, hour, minute]: [number, number, number, number]) =>
  new Date(2026, month - 1, day, hour, minute).getTime();

describe('a reset time', () => {
  const at = (time: string, now = NOW) =>
    parseQuotaRefusal(`You’ve hit your usage limit. Upgrade to Pro (https://…) or try again at ${time}.`, now)
      ?.resetAt;

  test('refers to the end of its minute, because the text has no seconds', () => {
    expect(at('8:03 AM')).toBe(local(11, 16, 8, 4));
    expect(at('7:03 AM')).toBe(local(11, 16, 7, 4));
    expect(at('11:59 PM')).toBe(local(11, 17, 0, 0));
    expect(at('12:30 PM')).toBe(local(11, 16, 12, 31));
  });

  test('refers to tomorrow if it has already passed today', () => {
    expect(at('7:02 AM')).toBe(local(11, 17, 7, 3));
    expect(at('12:05 AM')).toBe(local(11, 17, 0, 6));
    expect(at('12:10 AM', local(12, 31, 23, 50))).toBe(new Date(2027, 0, 1, 0, 11).getTime());
  });

  test('includes the date if the text contains one', () => {
    expect(at('Nov 19th, 2026 7:03 AM')).toBe(local(11, 19, 7, 4));
    expect(at('Dec 1st, 2026 12:00 PM')).toBe(local(12, 1, 12, 1));
    expect(at('Jan 22nd, 2027 1:15 AM')).toBe(new Date(2027, 0, 22, 1, 16).getTime());
  });

  test('is ignored if it is invalid', () => {
    expect(at('13:00 PM')).toBeUndefined();
    expect(at('7:60 AM')).toBeUndefined();
    expect(at('Foo 19th, 2026 7:03 AM')).toBeUndefined();
  });

  test('is never before now, and never more than a day and a minute from now', () => {
    assertProperty(
      fc.property(fc.nat(1_439), fc.integer({ min: NOW, max: NOW + 400 * 24 * HOUR }), (minute, now) => {
        const hour = Math.floor(minute / 60);
        const time = `${hour % 12 || 12}:${String(minute % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
        const reset = at(time, now) ?? 0;
        expect(reset).toBeGreaterThan(now);
        // A day has one extra hour when the clocks are set back.
        expect(reset - now).toBeLessThanOrEqual(25 * HOUR + MINUTE);
      }),
    );
  });
});

test('a wait given as a duration is added to the current time', () => {
  const after = (time: string) => {
    const said = parseQuotaRefusal(
      `rate limit exceeded: Rate limit reached for gpt-5. Please try again in ${time}.`,
      NOW,
    );
    return said?.resetAt === undefined ? undefined : said.resetAt - NOW;
  };
  expect(after('1.2s')).toBe(1_200);
  expect(after('862ms')).toBe(862);
  expect(after('6m0s')).toBe(6 * MINUTE);
  expect(after('1h30m')).toBe(90 * MINUTE);
  expect(after('1h2m3.5s')).toBe(HOUR + 2 * MINUTE + 3_500);
  expect(after('20 seconds')).toBe(20_000);
  expect(after('2 days 3 hours 5 minutes')).toBe(51 * HOUR + 5 * MINUTE);
  expect(after('a while')).toBeUndefined();
});

test('detects an exhausted quota even if no reset time is given', () => {
  const refusals = [
    'You’ve hit your usage limit. Try again later.',
    'Quota exceeded. Check your plan and billing details.',
    'exceeded retry limit, last status: 429 Too Many Requests',
    'Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)',
    'Selected model is at capacity. Please try a different model.',
  ];
  for (const words of refusals) expect(parseQuotaRefusal(words, NOW), words).toEqual({});
});

test('does not report other failures as an exhausted quota', () => {
  const others = [
    'unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:40565/v1/responses',
    'We’re currently experiencing high demand, which may cause temporary errors.',
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    'To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.',
    'stream disconnected before completion: error sending request',
    '',
  ];
  for (const words of others) expect(parseQuotaRefusal(words, NOW), words).toBeUndefined();
});
