/** Changes of labels in words for people. */

/** Empty where nothing changes. */
export function labelsInWords(add: readonly string[], remove: readonly string[]): string {
  return [
    ...(add.length === 0 ? [] : [`add ${add.join(', ')}`]),
    ...(remove.length === 0 ? [] : [`remove ${remove.join(', ')}`]),
  ].join('; ');
}
