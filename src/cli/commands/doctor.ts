/** `legion doctor`: whether this machine, this configuration and this repository are fit for the work. */
import { styleText } from 'node:util';
import { formed } from '../formed.ts';
import { withProgress } from '../present/progress.ts';
import { safeText } from '../present/safe.ts';
import { JSON_OPTION, PLACE_OPTIONS } from '../program/daemon-command.ts';
import type { Finding } from './doctor/finding.ts';
import { examineLegion } from './doctor/legion.ts';
import { examineMachine } from './doctor/machine.ts';

const MARKS = {
  ok: { mark: '✓', style: 'green' },
  warn: { mark: '!', style: 'yellow' },
  bad: { mark: '✗', style: 'red' },
} as const;

export const doctor = formed(
  {
    name: 'doctor',
    says: 'Looks at the machine, the configuration, the daemon, the agents, Linear, GitHub and the repository, and says what to mend.',
    options: {
      turn: { says: 'let each agent take one short turn with its model; it costs a little quota' },
      ...JSON_OPTION,
      ...PLACE_OPTIONS,
    },
  },
  async ({ options }, context) => {
    const { json, turn, ...flags } = options;
    const findings = await withProgress(context, 'looking', async () => [
      ...(await examineMachine(context)),
      ...(await examineLegion(flags, turn === true, context)),
    ]);
    const healthy = findings.every(({ verdict }) => verdict !== 'bad');
    context.stdout.write(json ? `${JSON.stringify({ ok: healthy, findings })}\n` : page(findings));
    return healthy ? undefined : 1;
  },
);

function page(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const indent = ' '.repeat(width + 4);
  const lines = findings.map(({ what, verdict, says, next }) => {
    const { mark, style } = MARKS[verdict];
    const advice = next === undefined ? '' : `\n${indent}${styleText('dim', indented(next, indent))}`;
    return `${styleText(style, mark)} ${what.padEnd(width)}  ${indented(says, indent)}${advice}\n`;
  });
  const bad = findings.filter(({ verdict }) => verdict === 'bad').length;
  const warned = findings.filter(({ verdict }) => verdict === 'warn').length;
  return `${lines.join('')}\n${bad === 0 ? 'Fit for work' : `${bad} to mend`}${warned === 0 ? '' : `, ${warned} to look at`}.\n`;
}

function indented(text: string, indent: string): string {
  return safeText(text).trimEnd().replaceAll('\n', `\n${indent}`);
}
