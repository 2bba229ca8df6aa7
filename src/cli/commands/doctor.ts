/** `legion doctor`: whether this machine, this configuration and this repository are fit for the work. */

import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { printJson, printPage } from '../present/print.ts';
import { withProgress } from '../present/progress.ts';
import { safeText } from '../present/safe.ts';
import { defineCommand } from '../program/define-command.ts';
import { addJsonOption, addPlaceOptions, examples } from '../program/options.ts';
import type { Finding } from './doctor/finding.ts';
import { examineLegion } from './doctor/legion.ts';
import { examineMachine } from './doctor/machine.ts';

const MARKS = {
  ok: { mark: '✓', style: 'green' },
  warn: { mark: '!', style: 'yellow' },
  bad: { mark: '✗', style: 'red' },
} as const;

export const doctor = defineCommand(
  () =>
    addPlaceOptions(
      addJsonOption(
        new Command()
          .description(
            'Check the machine, the configuration, the daemon, the agents, the repository and, if the legion uses them, GitHub and Linear. Each problem comes with what to do. Exits with 1 if something must be fixed.',
          )
          .option('--turn', 'Let each agent take one short turn with its model; this costs a little quota')
          .addHelpText('after', examples('legion doctor', 'legion doctor --turn')),
      ),
    ),
  async ({ options }, context) => {
    const findings = await withProgress(context, 'checking', async () => [
      ...(await examineMachine(context)),
      ...(await examineLegion(options, options.turn === true, context)),
    ]);
    const healthy = findings.every(({ verdict }) => verdict !== 'bad');
    if (options.json === true) printJson(context, { ok: healthy, findings });
    else printPage(context, page(findings));
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
