/** The environment that lets one git command sign in to GitHub, with the token in no argument, address or file. */

export function gitEnvironment(web: string, token: string): Readonly<Record<string, string>> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const header = `http.${web}/.extraHeader`;
  const settings: readonly (readonly [string, string])[] = [
    // An empty value forgets what files have set before: two such headers would be refused.
    [header, ''],
    [header, `Authorization: Basic ${basic}`],
    // No helper may answer in another's name, or keep this token.
    ['credential.helper', ''],
  ];
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: `${settings.length}`,
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
