/** An amount of money. Small amounts include cents. */

const CENTS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const WHOLE = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
/** From this amount on, cents are not shown. */
const CENTS_UP_TO = 1_000;

export function Money({ usd }: { readonly usd: number }) {
  return <span className="money">{formatMoney(usd)}</span>;
}

export function formatMoney(usd: number): string {
  if (usd > 0 && usd < 0.01) return '< $0.01';
  return (usd < CENTS_UP_TO ? CENTS : WHOLE).format(usd);
}
