/** The page of an address. The path of the explorer's URL is extended; its query stays. */
export function explorerLink(explorer: string | undefined, address: string): string | undefined {
  if (explorer === undefined || !URL.canParse(explorer)) return undefined
  const url = new URL(explorer)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/address/${address}`
  return url.href
}
