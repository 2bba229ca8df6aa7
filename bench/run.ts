/** `npm run bench`: measures what the specification sets goals for. Figures of one run; these machines are noisy. */
import { styleText } from 'node:util';
import { benchBoard } from './board.ts';
import { benchGithub } from './github.ts';
import { benchIdle } from './idle.ts';
import { benchJournal } from './journal.ts';
import { benchLife } from './life.ts';
import { benchLocalBoard } from './local-board.ts';
import type { Measurement } from './measurement.ts';
import { benchPure } from './pure.ts';
import { benchReportToSpawn } from './report-to-spawn.ts';
import { benchStart } from './start.ts';

const json = process.argv.includes('--json');
const measurements: Measurement[] = [];

for (const [what, bench] of [
  ['decisions and folding', async () => benchPure()],
  ['the journal beside bare SQLite', benchJournal],
  ['starting from a long journal', benchStart],
  ['the dashboard’s board', benchBoard],
  ['a large local board', benchLocalBoard],
  ['a large board on GitHub', benchGithub],
  ['an idle daemon', benchIdle],
  ['a whole life beside its bare work', benchLife],
  ['the way from a report to the next worker', benchReportToSpawn],
] as const) {
  if (!json) process.stderr.write(styleText('dim', `measuring ${what} …\n`));
  measurements.push(...(await bench()));
}

if (json) console.log(JSON.stringify({ node: process.version, measurements }));
else for (const measurement of measurements) console.log(line(measurement));

function line({ name, value, unit, goal, met }: Measurement): string {
  const figure = `${value.toLocaleString('en')} ${unit}`;
  const verdict = met ? styleText('green', 'met') : styleText('red', 'missed');
  return `${name.padEnd(58)} ${figure.padStart(16)}   goal ${goal.padEnd(12)} ${verdict}`;
}
