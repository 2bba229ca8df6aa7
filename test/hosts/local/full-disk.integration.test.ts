/** A full disk takes nobody's exit status, and starts nothing by half. */
import { expect, test } from 'vitest';
import { mayMount, smallDisk } from '../../journal/sqlite/confinement.ts';
import { useFolder } from '../../journal/sqlite/folder.ts';
import { runScript } from '../../journal/sqlite/script.ts';

const FULL_DISK = new URL('full-disk.ts', import.meta.url);
const DISK_BYTES = 2_000_000;

const folder = useFolder();

test.runIf(mayMount())(
  'the exit of a worker that filled the disk is known; a start waits for room',
  async () => {
    const printed = await runScript(FULL_DISK, [folder()], smallDisk(folder(), DISK_BYTES));
    expect(JSON.parse(printed)).toMatchObject({
      exit: { code: 3, signal: null },
      refused: { code: 'host.unavailable' },
      afterRoomWasMade: { code: 4, signal: null },
    });
  },
);
