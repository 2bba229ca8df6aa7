/** A daemon's health in a few lines. */
import { styleText } from 'node:util';
import { dollars, span } from '../../domain/format.ts';
import type { HealthView } from '../../protocol/operator.ts';
import { safeLine, safeText } from './safe.ts';
import { ago } from './time.ts';

export function healthLines(health: HealthView, now: number): readonly string[] {
  const { legion, pid, version, startedAt, workers, starts, autoAdvance } = health;
  const state = health.ok ? styleText('green', 'running') : styleText('red', 'in trouble');
  const waiting = workers.waiting > 0 ? `, ${workers.waiting} waiting` : '';
  const { stopping = 0 } = workers;
  const leaving = stopping > 0 ? `, ${stopping} stopping` : '';
  return [
    `${styleText('bold', safeLine(legion))}  ${state} for ${span(now - startedAt)}, pid ${pid}, version ${safeLine(version)}`,
    `workers ${workers.live} of ${workers.limit}${waiting}${leaving}; board ${safeLine(health.backend)}, forge ${safeLine(health.forge)}`,
    ...dayLine(health),
    ...budgetLine(health, now),
    ...holdLine(starts, now),
    ...(autoAdvance
      ? []
      : [styleText('yellow', 'auto_advance is off: issues move by `legion advance` only')]),
    ...(health.baselines ?? []).map(({ repo, command }) =>
      styleText(
        'yellow',
        `the baseline of ${safeLine(repo)} is running (${safeLine(command)}): no worker starts before its result`,
      ),
    ),
    ...troubleLines(health, now),
    ...noticeLines(health),
  ];
}

function holdLine({ allowed, kind, why = 'paused', since }: HealthView['starts'], now: number): string[] {
  if (allowed) return [];
  const when = since === undefined ? '' : `, ${ago(since, now)}`;
  const ends = kind === 'deaths' ? '' : '; `legion resume` ends it';
  return kind === 'halt'
    ? [styleText('red', `HALTED: ${safeText(why)}${when}${ends}`)]
    : [styleText('yellow', `no worker is started: ${safeText(why)}${when}${ends}`)];
}

/** Money and tokens of today; in colour once nothing starts any more. */
function dayLine({ day }: HealthView): readonly string[] {
  if (day === undefined) return [];
  const { usd, usdLimit, tokens, tokensLimit, refusal } = day;
  const money = `${dollars(usd)}${usdLimit === undefined ? '' : ` of ${dollars(usdLimit)}`}`;
  const counted =
    tokens === 0
      ? ''
      : `, ${tokens.toLocaleString('en')}${tokensLimit === undefined ? '' : ` of ${tokensLimit.toLocaleString('en')}`} tokens without a reported cost`;
  const says = `spent today ${money}${counted}`;
  return [refusal === undefined ? says : styleText('yellow', `${says}: ${safeText(refusal)}`)];
}

export function troubleLines({ troubles }: HealthView, now: number): readonly string[] {
  return troubles.map(
    ({ code, message, next, since }) =>
      `${styleText('red', 'trouble')} ${safeText(message)} [${safeLine(code)}], since ${ago(since, now)}\n  ${safeText(next)}`,
  );
}

export function noticeLines({ notices = [] }: HealthView): readonly string[] {
  return notices.map(
    ({ message, next }) => `${styleText('yellow', 'note')} ${safeText(message)}\n  ${safeText(next)}`,
  );
}

/** Below this share it is worth a person's look: Legion reads the board less often. */
const SHORT = 0.5;

function budgetLine({ budget, backend }: HealthView, now: number): readonly string[] {
  if (budget === undefined || budget.remaining >= SHORT * budget.limit) return [];
  const until = `whole again in ${span(Math.max(0, budget.resetsAt - now))}`;
  const says = `${safeLine(backend)} answers ${budget.remaining} of ${budget.limit} more points, ${until}: the board is read less often`;
  return [styleText('yellow', says)];
}
