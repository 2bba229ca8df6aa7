/** The command line that starts the daemon of the same legion again, whatever folder it is looked at from. */
import { launcher } from '../../launcher.ts';
import type { Place } from '../../place.ts';

export function foregroundCommand({ file, flags }: Place): readonly [program: string, ...args: string[]] {
  const config = file.named ? [`--config=${file.path}`] : [];
  return [
    ...launcher(),
    'up',
    '--foreground',
    ...config,
    ...flags.map(({ name, text }) => `${name}=${text}`),
  ];
}
