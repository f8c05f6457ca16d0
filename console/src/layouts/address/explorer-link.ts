/** The page of an address or a transaction. The path of the explorer's URL is extended; its query stays. */
export function explorerLink(
  explorer: string | undefined,
  id: string,
  kind: 'address' | 'tx' = 'address',
): string | undefined {
  if (explorer === undefined || !URL.canParse(explorer)) return undefined
  const url = new URL(explorer)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${kind}/${id}`
  return url.href
}
