/** Where the launcher lies of what this run has built. */
import { inject } from 'vitest';

export const LAUNCHER = inject('launcher');
