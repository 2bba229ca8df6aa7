/** Path of the launcher that this run has built. */
import { inject } from 'vitest';

export const LAUNCHER = inject('launcher');
