/** Loaded into every Legion of a test before its first line: holds agents back whose variables say so. */
const { existsSync } = require('node:fs');

const { HOLD_ISSUE, HOLD_UNTIL, LEGION_ISSUE } = process.env;
const isAgent = process.argv.includes('scripted');
const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);

if (isAgent && HOLD_ISSUE !== undefined && HOLD_ISSUE === LEGION_ISSUE) for (;;) rest();
if (isAgent && HOLD_UNTIL !== undefined) while (!existsSync(HOLD_UNTIL)) rest();
