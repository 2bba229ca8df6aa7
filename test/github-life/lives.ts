/** Every life of every worker that a story of the demo asks for: the phase, why it began, how it ended. */
import { lowStock } from '../../src/demo/stories/low-stock.ts';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { thousands } from '../../src/demo/stories/thousands.ts';
import { total } from '../../src/demo/stories/total.ts';
import { usage } from '../../src/demo/stories/usage.ts';

const BEFORE = ['architect start done', 'plan start done'];
const IMPLEMENTED = 'implement start done';
const TESTED = 'test start done';
const REVIEWED = 'review start done';
const AFTER = ['retro retro done', 'merge start done'];

const LIVES: Readonly<Record<string, readonly string[]>> = {
  [lowStock.title]: [
    ...BEFORE,
    ...['implement start asked', 'implement feedback done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [quotedNames.title]: ['plan start done', IMPLEMENTED, TESTED, REVIEWED, ...AFTER],
  [usage.title]: [...BEFORE, IMPLEMENTED, TESTED, REVIEWED, ...AFTER],
  [total.title]: [
    ...BEFORE,
    ...[IMPLEMENTED, TESTED, 'implement test_failure done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [quantities.title]: [
    ...BEFORE,
    ...[IMPLEMENTED, TESTED, REVIEWED, 'implement review_changes done', TESTED, REVIEWED],
    ...AFTER,
  ],
  [thousands.title]: [
    ...BEFORE,
    ...['implement start crashed', 'implement crash done', TESTED, REVIEWED],
    ...AFTER,
  ],
};

export function livesOf(title: string): readonly string[] {
  return LIVES[title] ?? [];
}
