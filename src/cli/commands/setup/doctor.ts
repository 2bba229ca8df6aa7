/** `legion doctor`: checks that the machine, the configuration and the repository are ready. */

import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { resolveLegionPaths } from '../../../config/paths.ts';
import { formatConfigSize } from '../../../config/schema/leaf.ts';
import { createGitRunner } from '../../../git/runner.ts';
import { readStat } from '../../../lib/process/proc-table.ts';
import { printJson, printPage } from '../../present/page.ts';
import { sanitizeText, withProgress } from '../../present/terminal.ts';
import {
  addJsonOption,
  addLocationOptions,
  type CommandContext,
  defineCommand,
  renderExamples,
} from '../../program/define-command.ts';
import { type DoctorFinding, reportFault, reportOk, reportProblem, reportWarning } from './doctor/finding.ts';
import { inspectLegion } from './doctor/legion.ts';

const FINDING_MARKS = {
  ok: { mark: '✓', style: 'green' },
  warn: { mark: '!', style: 'yellow' },
  bad: { mark: '✗', style: 'red' },
} as const;

export const doctor = defineCommand(
  () =>
    addLocationOptions(
      addJsonOption(
        new Command()
          .description(
            'Check the machine, the configuration, the daemon, the agents, the repository and, if the legion uses them, GitHub and Linear. Each problem comes with its next step. Exits with 1 if something must be fixed.',
          )
          .option('--turn', 'Send each agent one short prompt to test its model; this uses a little quota')
          .addHelpText('after', renderExamples('legion doctor', 'legion doctor --turn')),
      ),
    ),
  async ({ options }, context) => {
    const findings = await withProgress(context, 'checking', async () => [
      ...(await inspectMachine(context)),
      ...(await inspectLegion(options, options.turn === true, context)),
    ]);
    const healthy = findings.every(({ verdict }) => verdict !== 'bad');
    if (options.json === true) printJson(context, { ok: healthy, findings });
    else printPage(context, renderFindings(findings));
    return healthy ? undefined : 1;
  },
);

function renderFindings(findings: readonly DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const indent = ' '.repeat(width + 4);
  const lines = findings.map(({ what, verdict, says: message, next }) => {
    const { mark, style } = FINDING_MARKS[verdict];
    const advice = next === undefined ? '' : `\n${indent}${styleText('dim', formatIndented(next, indent))}`;
    return `${styleText(style, mark)} ${what.padEnd(width)}  ${formatIndented(message, indent)}${advice}\n`;
  });
  const bad = findings.filter(({ verdict }) => verdict === 'bad').length;
  const warned = findings.filter(({ verdict }) => verdict === 'warn').length;
  return `${lines.join('')}\n${bad === 0 ? 'Ready to work' : `${bad} to fix`}${warned === 0 ? '' : `, ${warned} to review`}.\n`;
}

function formatIndented(text: string, indent: string): string {
  return sanitizeText(text).trimEnd().replaceAll('\n', `\n${indent}`);
}

const MIN_NODE = 24;
/** First git version that can merge without a working directory. */
const MIN_GIT = [2, 38] as const;
const GIT_ANSWER_MS = 5_000;

const MB = 1_000_000;
const GB = 1_000 * MB;
/**
 * With less than `bad`, no worker starts. With less than `warn`, a few checkouts with dependencies
 * would fill the disk.
 */
const DISK_LIMITS = { bad: 256 * MB, warn: 5 * GB } as const;
/**
 * The two limits for memory, with the same meaning as for the disk. An agent takes a few hundred
 * megabytes.
 */
const MEMORY_LIMITS = { bad: 128 * MB, warn: GB } as const;

/** Checks the machine: Node, git, processes, disk and memory. */
export async function inspectMachine(context: CommandContext): Promise<readonly DoctorFinding[]> {
  return [
    inspectNode(),
    await inspectGit(context),
    inspectProcessTable(),
    await inspectDisk(context),
    inspectMemory(),
  ];
}

function inspectNode(): DoctorFinding {
  const { node: version } = process.versions;
  return Number.parseInt(version, 10) >= MIN_NODE
    ? reportOk('node', version)
    : reportProblem('node', `${version} is too old`, `Install Node ${MIN_NODE} or newer.`);
}

async function inspectGit({ cwd, env }: CommandContext): Promise<DoctorFinding> {
  try {
    const output = await createGitRunner({ environment: env, timeoutMs: GIT_ANSWER_MS }).run(cwd, [
      'version',
    ]);
    const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).map(Number);
    const isNew = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
    const version = output.trim().replace(/^git version /, '');
    return isNew
      ? reportOk('git', version)
      : reportProblem('git', `${version} is too old`, `Install git ${MIN_GIT.join('.')} or newer.`);
  } catch (error) {
    return reportFault('git', error);
  }
}

function inspectProcessTable(): DoctorFinding {
  return readStat(process.pid) !== undefined
    ? reportOk('processes', 'can be identified by their start time')
    : reportProblem(
        'processes',
        '/proc is not available',
        'Run workers on a Linux machine with /proc mounted.',
      );
}

/** Checks the disk that holds, or will hold, the journal and the workspaces. */
async function inspectDisk({ env }: CommandContext): Promise<DoctorFinding> {
  const paths = resolveLegionPaths(env);
  if (!paths.ok) return reportProblem('disk', paths.fault.message, paths.fault.next);
  const folder = findNearestExisting(paths.value.workspaces('any'));
  const { bavail, bsize } = await statfs(folder);
  return judgeFreeBytes('disk', bavail * bsize, DISK_LIMITS, `free in ${folder}`);
}

function inspectMemory(): DoctorFinding {
  return judgeFreeBytes('memory', process.availableMemory(), MEMORY_LIMITS, 'available');
}

function judgeFreeBytes(
  subject: string,
  bytes: number,
  limits: { bad: number; warn: number },
  place: string,
): DoctorFinding {
  const unit = bytes < GB ? MB : GB;
  const message = `${formatConfigSize(Math.floor(bytes / unit) * unit)} ${place}`;
  if (bytes < limits.bad)
    return reportProblem(subject, message, 'Make more available: Legion starts no workers below this limit.');
  return bytes < limits.warn
    ? reportWarning(subject, message, 'Make more available, or run fewer workers at once.')
    : reportOk(subject, message);
}

function findNearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : findNearestExisting(dirname(path));
}
