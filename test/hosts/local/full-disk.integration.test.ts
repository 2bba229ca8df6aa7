/** Tests that a full disk causes neither a lost exit status nor a partial start. */
import { expect, test } from 'vitest';
import { mayMount, smallDisk } from '../../journal/sqlite/confinement.ts';
import { useFolder } from '../../journal/sqlite/folder.ts';
import { runScript } from '../../journal/sqlite/script.ts';
import { skipUnlessPermitted } from '../../support/required-program.ts';

const FULL_DISK = new URL('full-disk.ts', import.meta.url);
const DISK_BYTES = 2_000_000;

const folder = useFolder();

test('the host reports the exit of a worker that filled the disk, and refuses to start another until there is free space', async (context) => {
  skipUnlessPermitted(context, mayMount(), 'mounts');
  const printed = await runScript(FULL_DISK, [folder()], smallDisk(folder(), DISK_BYTES));
  expect(JSON.parse(printed)).toMatchObject({
    exit: { code: 3, signal: null },
    refused: { code: 'host.unavailable' },
    afterRoomWasMade: { code: 4, signal: null },
  });
});
