/** `legion version`: prints Legion's version. */
import { Command } from '@commander-js/extra-typings';
import { readVersion } from '../../installation.ts';
import { printJson, printPage } from '../../present/page.ts';
import { addJsonOption, defineCommand } from '../../program/define-command.ts';

export const versionCommand = defineCommand(
  () => addJsonOption(new Command().description('Print the version of Legion, as `legion --version` does.')),
  async ({ options: { json } }, context) => {
    if (json === true) printJson(context, { version: readVersion(), node: process.versions.node });
    else printPage(context, `${readVersion()}\n`);
    return undefined;
  },
);
