/**
 * `npm run test:slowest [-- N]`: prints the slowest recorded test files and the total time of each
 * project.
 */
import { readDurations } from '../test/reporters/durations.ts';

const MAX_SHOWN_FILES = 25;

const count = Number(process.argv[2] ?? MAX_SHOWN_FILES);
const files = Object.entries(readDurations()).sort(([, a], [, b]) => b.ms - a.ms);

if (!Number.isSafeInteger(count) || count < 1) {
  console.error('Usage: npm run test:slowest [-- NUMBER_OF_FILES]');
  process.exitCode = 2;
} else if (files.length === 0) {
  console.error('No durations are recorded yet. Run `npm test` first.');
  process.exitCode = 1;
} else {
  for (const [path, { project, tests, ms }] of files.slice(0, count)) {
    console.log(`${toSeconds(ms)}  ${String(tests).padStart(4)} tests  ${project.padEnd(11)}  ${path}`);
  }
  console.log();
  for (const [project, ofProject] of Map.groupBy(files, ([, { project }]) => project)) {
    const ms = ofProject.reduce((sum, [, each]) => sum + each.ms, 0);
    console.log(`${toSeconds(ms)}  ${String(ofProject.length).padStart(4)} files  ${project}`);
  }
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s`;
}
