/** `legion skills …`: what agents read, for sessions that Legion has not started itself. */
import { family } from '../formed.ts';
import { install } from './skills/install.ts';
import { list } from './skills/list.ts';

export const skills = family('skills', 'Lists Legion’s skills and installs them for sessions of your own.', {
  install,
  list,
});
