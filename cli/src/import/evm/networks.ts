/** The chain ids of the built-in sources. */
const builtIn: Record<string, string> = {
  1: 'common.ethereum',
  10: 'common.optimism',
  56: 'common.bsc',
  100: 'common.gnosis',
  137: 'common.polygon',
  1284: 'common.moonbeam',
  8453: 'common.base',
  42161: 'common.arbitrum',
  43114: 'common.avalanche',
  59144: 'common.linea',
  534352: 'common.scroll',
  11155111: 'common.sepolia',
}

/** The source of a chain. One that the service does not have must be made by hand. */
export function sourceOfChain(chainId: string, workspace: string, differences: string[]): string {
  const common = builtIn[chainId]
  if (common !== undefined) return common
  const fullname = `${workspace}.chain-${chainId}`
  differences.push(`add a source ${fullname} for the chain ${chainId}`)
  return fullname
}
